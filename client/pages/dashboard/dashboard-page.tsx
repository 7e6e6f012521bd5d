import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { classes } from '../../components/classes.ts';
import { CircleAlert, Send } from '../../components/icon.tsx';
import { usePageTitle } from '../../components/page-title.ts';
import { Spinner } from '../../components/spinner.tsx';
import { toasts } from '../../components/toast.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import { refreshOpenings, useOpenings } from '../../hooks/openings.ts';
import { useToldDrafts } from '../../hooks/use-account-drafts.ts';
import { useCapsuleList, useSummary } from '../../hooks/use-capsules.ts';
import { useNow, useOpeningOnTime } from '../../hooks/use-now.ts';
import { useOutbox } from '../../hooks/use-outbox.ts';
import { useMe } from '../../hooks/use-people.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import { useAuth } from '../../hooks/use-session.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { onDelivered } from '../../sync/locks.ts';
import { useCapsuleActions } from '../capsule/use-capsule-actions.ts';
import { explanation, needsPerson } from '../outbox/outbox-item.ts';
import { UnfinishedDrafts } from '../unfinished-drafts.tsx';
import { type TabValue, useDashboardAddress } from './address.ts';
import { useArrival } from './arrival.ts';
import { CapsuleTabs } from './capsule-tabs.tsx';
import styles from './dashboard.module.css';
import { DashboardHeader } from './dashboard-header.tsx';
import { failuresOf, ListFailure } from './list-failure.tsx';
import { MonthlyChart } from './monthly-chart.tsx';
import { hasNotice, Offers } from './offers.tsx';
import { openedText, ReadyCapsules } from './ready-capsules.tsx';
import { NextUnlocks, StorageMeter, Summary } from './summary.tsx';

const dialogs = () => import('./dialogs.ts');
const CapsuleDialog = lazy(async () => ({ default: (await dialogs()).CapsuleDialog }));
const UserSearch = lazy(async () => ({ default: (await dialogs()).UserSearch }));

export function DashboardPage() {
  const { user } = useAuth();
  const { address, change, closeCapsule } = useDashboardAddress();
  const { query, view, hidden, capsuleId } = address;
  const userId = useUserId();
  const me = useMe();
  const now = useNow();
  const [year, setYear] = useState(now.getFullYear());
  const summary = useSummary(year);
  const pageOf = (list: TabValue) => (list === address.tab ? address.page : 1);
  const created = useCapsuleList({ type: 'created', query, view, page: pageOf('my-capsules') });
  const part = { query, view, hidden };
  const received = useCapsuleList({ type: 'received', ...part, page: pageOf('received') });
  const outbox = useOutbox(userId);
  const queued = outbox ?? [];
  const { drafts, askedAt: draftsAskedAt } = useToldDrafts(userId);
  const hasDrafts = Boolean(drafts?.length);
  const refreshAll = useRefreshAll([created, received, summary]);
  const capsules = [created, received].flatMap(({ data }) => data?.capsules ?? []);
  useOpeningOnTime(capsules, now, refreshAll);
  const actions = useCapsuleActions(refreshAll);
  const openings = useOpenings();
  const ready = openings?.count ?? 0;
  const onTop = useArrival(
    {
      resources: [created, received, summary, me],
      device: [outbox, drafts],
      openings,
      draftsAskedAt,
    },
    {
      ready: ready > 0,
      queued: queued.length > 0,
      drafts: hasDrafts,
      notice: hasNotice(me.data),
      failure: Object.values(failuresOf([created, received], me)).some(Boolean),
    },
  );
  const isShown = onTop !== null;
  const isLate = isShown && !onTop.ready && ready > 0;
  useEffect(() => {
    if (!isLate) return;
    // In the page it would move what is being read, or stand where nobody sees it.
    const show = { label: 'Show', run: () => change(ALL_READY) };
    const message = toasts.offer(openedText(ready), show);
    return () => toasts.dismiss(message);
  }, [isLate, ready, change]);
  useEffect(() => {
    // Whoever sees the cards will open one, perhaps without a connection.
    if (isShown) dialogs().catch(() => undefined);
  }, [isShown]);
  // The details have a title of their own.
  usePageTitle(ready > 0 && capsuleId === null ? `(${ready}) Dashboard` : null);
  const [searchesPeople, setSearchesPeople] = useState(false);
  useDeliveries(userId, refreshAll);

  // Only the chart is of a year: while another one loads, everything else stays as it is.
  const [last, setLast] = useState(summary.data);
  if (summary.data && summary.data !== last) setLast(summary.data);
  const figures = summary.data ?? last;
  // A newcomer is shown beginnings instead of zeros.
  const isEmpty = figures?.totalCapsules === 0;
  // Where no capsule is read, a draft may come on top late.
  const areDraftsOnTop = onTop?.drafts || isEmpty;
  // The only capsule says itself when it opens.
  const isOne = figures?.totalCapsules === 1;
  const nextUnlocks = (
    <NextUnlocks summary={figures} now={now} onOpen={(id) => change({ capsuleId: id })} />
  );
  const known = figures?.nextUnlocks.find(({ id }) => id === capsuleId) ?? null;
  const news = openings && (
    <ReadyCapsules
      openings={openings}
      now={now}
      onOpen={(id) => change({ capsuleId: id })}
      onAll={() => change(ALL_READY)}
    />
  );
  const hasCapsules = [created, received].some(({ data }) => data?.pagination.totalItems);
  return (
    <div className={`stack gap-24 ${styles.page}`}>
      <DashboardHeader
        user={user}
        query={query}
        onQuery={(text) => change({ query: text, page: 1 }, { replace: true })}
        onDiscover={() => setSearchesPeople(true)}
      />
      <ListFailure lists={[created, received]} me={me} failedFirst={onTop?.failure ?? null} />
      {onTop === null ? (
        <div className={`centre ${styles.waiting}`}>
          <Spinner label="Loading capsules..." />
        </div>
      ) : (
        <>
          {onTop.ready && news}
          {onTop.queued && <OutboxStrip items={queued} now={now} />}
          {areDraftsOnTop && <UnfinishedDrafts drafts={drafts ?? []} />}
          {onTop.notice && <Offers user={me.data} hasCapsules={false} />}
          <div
            className={classes(
              `stack gap-24 top holds ${styles.columns}`,
              (isEmpty || isOne) && styles.alone,
            )}
          >
            <div className={styles.main}>
              <CapsuleTabs
                lists={{ 'my-capsules': created, received }}
                figures={figures}
                address={address}
                change={change}
                openings={openings}
                actions={actions}
                now={now}
              />
            </div>
            {!isOne && nextUnlocks}
            <Summary summary={{ ...summary, data: figures }}>
              {isOne && nextUnlocks}
              <StorageMeter summary={figures} />
              <MonthlyChart summary={summary} last={figures} year={year} onYear={setYear} />
            </Summary>
          </div>
          {!onTop.queued && <OutboxStrip items={queued} now={now} />}
          {!areDraftsOnTop && <UnfinishedDrafts drafts={drafts ?? []} />}
          {!onTop.notice && <Offers user={me.data} hasCapsules={hasCapsules} />}
        </>
      )}
      <Suspense>
        {capsuleId !== null && (
          <CapsuleDialog
            key={capsuleId}
            id={capsuleId}
            now={now}
            known={known}
            actions={actions}
            onOpened={refreshAll}
            onClose={closeCapsule}
          />
        )}
        {searchesPeople && <UserSearch onClose={() => setSearchesPeople(false)} />}
      </Suspense>
    </div>
  );
}

const ALL_READY = {
  tab: 'received',
  view: 'ready',
  page: 1,
  query: '',
  hidden: false,
  capsuleId: null,
} as const;

/** Fetches everything shown again, after a change that touches lists and summary. */
function useRefreshAll(shown: readonly Resource<unknown>[]): () => Promise<unknown> {
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  return useCallback(
    () => Promise.all([refreshOpenings(), ...latest.current.map(({ refresh }) => refresh())]),
    [],
  );
}

/** Refreshes when a capsule was sealed, by any page or the worker. */
function useDeliveries(userId: string | null, refreshAll: () => Promise<unknown>) {
  useEffect(
    () =>
      onDelivered((news) => {
        if (news.userId === userId) void refreshAll();
      }),
    [userId, refreshAll],
  );
}

/** One line about capsules that wait to be sent, and what one of them needs first. */
function OutboxStrip({ items, now }: { items: readonly OutboxRow[]; now: Date }) {
  const [first] = items;
  if (!first) return null;
  const stuck = items.find((item) => needsPerson(item, now));
  const title = `“${(stuck ?? first).fields.title}”`;
  const waiting = items.length === 1 ? `${title} is` : `${items.length} capsules are`;
  return (
    <div className="strip cluster middle">
      {stuck ? <CircleAlert className="red" size={20} /> : <Send size={20} />}
      <p>
        {stuck && (
          <strong className="red">
            {title} {stuck.mayHaveArrived ? 'needs you' : "wasn't sent"}.
          </strong>
        )}
        <span>
          {stuck
            ? (explanation(stuck, now) ?? 'It needs your attention.')
            : `${waiting} waiting to be sent.`}
        </span>
      </p>
      <Link className="inline-row target strong" to="/outbox">
        Open outbox
      </Link>
    </div>
  );
}
