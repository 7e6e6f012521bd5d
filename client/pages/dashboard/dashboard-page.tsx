import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { PROFILE_LOAD_HINT } from '../../../shared/sentences.ts';
import { isConnectionError, sentenceFrom } from '../../api/errors.ts';
import { Banner } from '../../components/banner.tsx';
import { classes } from '../../components/classes.ts';
import { Send } from '../../components/icon.tsx';
import { usePageTitle } from '../../components/page-title.ts';
import type { OutboxRow } from '../../db/tables.ts';
import { refreshOpenings, useOpenings } from '../../hooks/openings.ts';
import { useCapsuleList, useSummary } from '../../hooks/use-capsules.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useDrafts, useOutbox } from '../../hooks/use-outbox.ts';
import { useMe } from '../../hooks/use-people.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import { useAuth } from '../../hooks/use-session.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { onDelivered } from '../../sync/locks.ts';
import { CapsuleDialog } from '../capsule/capsule-dialog.tsx';
import { useCapsuleActions } from '../capsule/use-capsule-actions.ts';
import { focusHeading } from '../focus.ts';
import { InstallStrip } from '../install.tsx';
import { needsLaterDay } from '../outbox/outbox-item.ts';
import strip from '../strip.module.css';
import { UnfinishedDrafts } from '../unfinished-drafts.tsx';
import { DEFAULT_TAB, type TabValue, useDashboardAddress } from './address.ts';
import { AddressNotice } from './address-notice.tsx';
import { CapsuleTabs } from './capsule-tabs.tsx';
import styles from './dashboard.module.css';
import { DashboardHeader } from './dashboard-header.tsx';
import { useShownTab } from './first-tab.ts';
import { MonthlyChart } from './monthly-chart.tsx';
import { PushOffer } from './push-offer.tsx';
import { ReadyCapsules } from './ready-capsules.tsx';
import { NextUnlocks, StorageMeter, SummaryTiles } from './summary.tsx';
import { UserSearch } from './user-search.tsx';

export function DashboardPage() {
  const { user } = useAuth();
  const { address, change, closeCapsule } = useDashboardAddress();
  const { query, view, hidden, capsuleId } = address;
  const userId = useUserId();
  const me = useMe();
  const now = useNow();
  const year = address.year ?? now.getFullYear();
  const summary = useSummary(year);
  const pageOf = (list: TabValue) => (list === (address.tab ?? DEFAULT_TAB) ? address.page : 1);
  const created = useCapsuleList({ type: 'created', query, view, page: pageOf('my-capsules') });
  const part = { query, view, hidden };
  const received = useCapsuleList({ type: 'received', ...part, page: pageOf('received') });
  const outbox = useOutbox(userId);
  const queued = outbox ?? [];
  const lists = { 'my-capsules': created, received };
  const tab = useShownTab(address, change, { lists, queued: outbox });
  const drafts = useDrafts(userId) ?? [];
  const refreshAll = useRefreshAll([created, received, summary]);
  const actions = useCapsuleActions(refreshAll);
  const openings = useOpenings();
  const ready = openings?.count ?? 0;
  // The details have a title of their own.
  usePageTitle(ready > 0 && capsuleId === null ? `(${ready}) Dashboard` : null);
  const [searchesPeople, setSearchesPeople] = useState(false);
  useDeliveries(userId, refreshAll);

  // A newcomer is shown beginnings instead of zeros, and what they have sealed but not sent yet.
  const isEmpty = summary.data?.totalCapsules === 0;
  const known = summary.data?.nextUnlocks.find(({ id }) => id === capsuleId) ?? null;
  return (
    <div className={styles.page}>
      <DashboardHeader
        user={user}
        query={query}
        onQuery={(text) => change({ query: text, page: 1 }, { replace: true })}
        onDiscover={() => setSearchesPeople(true)}
      />
      <Failure lists={[created, received]} me={me} />
      {openings && (
        <ReadyCapsules
          openings={openings}
          now={now}
          onOpen={(id) => change({ capsuleId: id })}
          onAll={() =>
            change({ tab: 'received', view: 'ready', page: 1, query: '', hidden: false })
          }
        />
      )}
      {queued.length > 0 && <OutboxStrip items={queued} now={now} />}
      <UnfinishedDrafts drafts={drafts} />
      <AddressNotice
        user={me.data}
        otherwise={
          created.data?.pagination.totalItems ? (
            <InstallStrip otherwise={<PushOffer />} />
          ) : received.data?.pagination.totalItems ? (
            <PushOffer />
          ) : null
        }
      />
      <div className={classes(styles.columns, isEmpty && styles.empty)}>
        {!isEmpty && <SummaryTiles summary={summary} now={now} />}
        <div className={styles.main}>
          <CapsuleTabs
            queued={queued}
            lists={lists}
            tab={tab}
            address={address}
            change={change}
            openings={openings}
            actions={actions}
            refreshAll={refreshAll}
            now={now}
          />
        </div>
        <NextUnlocks summary={summary} now={now} onOpen={(id) => change({ capsuleId: id })} />
        {!isEmpty && (
          <>
            <StorageMeter summary={summary.data} />
            <MonthlyChart
              summary={summary}
              year={year}
              onYear={(next) => change({ year: next === now.getFullYear() ? null : next })}
            />
          </>
        )}
      </div>
      {capsuleId !== null && (
        <CapsuleDialog
          key={capsuleId}
          id={capsuleId}
          now={now}
          known={known}
          actions={actions}
          onClose={closeCapsule}
        />
      )}
      {searchesPeople && <UserSearch onClose={() => setSearchesPeople(false)} />}
    </div>
  );
}

interface FailureProps {
  lists: readonly Resource<unknown>[];
  me: Resource<unknown>;
}

function Failure({ lists, me }: FailureProps) {
  const [dismissed, setDismissed] = useState<Error | null>(null);
  const listFailure = lists.map(failureOf).find((failure) => failure !== null) ?? null;
  const profileFailure = failureOf(me);
  const shown = listFailure ?? profileFailure;
  const message = listFailure
    ? sentenceFrom(listFailure, 'Failed to load capsules')
    : profileFailure && `${sentenceFrom(profileFailure, '')} ${PROFILE_LOAD_HINT}`.trim();
  return (
    <Banner
      message={shown === dismissed ? null : message}
      onDismiss={() => {
        setDismissed(shown);
        focusHeading();
      }}
    />
  );
}

/** While a cached answer is shown, a lost connection is no error: the list says how old it is. */
function failureOf({ error, data }: Resource<unknown>): Error | null {
  if (isConnectionError(error) && (data !== null || !navigator.onLine)) return null;
  return error instanceof Error ? error : null;
}

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

/** One line about capsules that wait to be sent. */
function OutboxStrip({ items, now }: { items: readonly OutboxRow[]; now: Date }) {
  const stuck = items.filter((item) => needsPerson(item, now)).length;
  return (
    <p className={classes(strip.strip, styles.strip)}>
      <Send size={18} aria-hidden="true" />
      <span>
        {items.length === 1
          ? '1 capsule is waiting to be sent.'
          : `${items.length} capsules are waiting to be sent.`}
        {stuck > 0 && (stuck === 1 ? ' 1 needs your attention.' : ` ${stuck} need your attention.`)}
      </span>
      <Link to="/outbox">Open outbox</Link>
    </p>
  );
}

function needsPerson(item: OutboxRow, now: Date): boolean {
  const states = ['needs-fix', 'storage-full', 'needs-sign-in'];
  return states.includes(item.state) || needsLaterDay(item, now);
}
