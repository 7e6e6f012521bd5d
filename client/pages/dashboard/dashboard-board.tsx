import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { NextUnlock } from '../../../shared/api/capsules.ts';
import { isConnectionError, sentenceFrom } from '../../http/call-error.ts';
import type { OutboxRow } from '../../local/db.ts';
import { prepareLists, useCapsuleList } from '../../state/capsules.ts';
import { useSummary } from '../../state/figures.ts';
import { useDrafts, useOutbox } from '../../state/outbox.ts';
import { useMe, useOwner } from '../../state/person.ts';
import type { Kept } from '../../state/use-kept.ts';
import { useMinute } from '../../state/use-minute.ts';
import { useIdle, whenIdle } from '../../state/when-idle.ts';
import { onDelivered } from '../../sync/delivery-news.ts';
import { Banner } from '../../ui/banner.tsx';
import { focusHeading } from '../focus-heading.ts';
import { lazyPart } from '../lazy-part.ts';
import type { ChangeAddress, DashboardAddress } from './address.ts';
import { QueuedCard } from './capsule-list.tsx';
import { CapsuleTabs } from './capsule-tabs.tsx';
import styles from './dashboard.module.css';
import { NextUnlocks } from './next-unlocks.tsx';
import { SummaryTiles } from './summary-tiles.tsx';

const CapsuleDialog = lazyPart(async () => (await import('./capsule-dialog.tsx')).CapsuleDialog);
const UnfinishedDrafts = lazyPart(
  async () => (await import('../unfinished-drafts.tsx')).UnfinishedDrafts,
);
const OutboxStrip = lazyPart(async () => (await import('./outbox-strip.tsx')).OutboxStrip);
const Figures = lazyPart(async () => (await import('./figures.tsx')).Figures);
const UserSearch = lazyPart(async () => (await import('./user-search.tsx')).UserSearch);
// An offer, no more: the board does without it when it does not come.
const InstallStrip = lazy(() =>
  import('../install/install-strip.tsx').then(
    ({ InstallStrip: Strip }) => ({ default: Strip }),
    () => ({ default: () => null }),
  ),
);

const LOGIN_HINT =
  'Please try to perform logout and login. Also make sure third party cookie is allowed.';

/** Reads the cards that stand at this address ahead of the first picture. */
export function prepareCards({ tab, query, page }: DashboardAddress): Promise<void> {
  return prepareLists({
    created: { query, page: tab === 'my-capsules' ? page : 1 },
    received: { query, page: tab === 'received' ? page : 1 },
  });
}

interface DashboardBoardProps {
  address: DashboardAddress;
  change: ChangeAddress;
  onCapsuleClose: () => void;
  /** The dialog in which other people are looked for is open. */
  searchesPeople: boolean;
  onSearchEnd: () => void;
}

/** All of the dashboard that shows data. */
export function DashboardBoard(props: DashboardBoardProps) {
  const { address, change, onCapsuleClose, searchesPeople, onSearchEnd } = props;
  const owner = useOwner();
  const me = useMe();
  const now = useMinute();
  const year = address.year ?? now.getFullYear();
  const [dismissed, setDismissed] = useState<Error | null>(null);

  const summary = useSummary(owner, year);
  const { tab, query } = address;
  const page = (of: typeof tab) => (of === tab ? address.page : 1);
  const created = useCapsuleList(owner, 'created', query, page('my-capsules'));
  const received = useCapsuleList(owner, 'received', query, page('received'));

  const isWaiting = summary.error === null && (!summary.isRead || summary.isRefreshing);
  const nextUnlocks = summary.value?.summary.nextUnlocks ?? NO_UNLOCKS;
  const queued = useOutbox(owner) ?? NONE_QUEUED;
  const drafts = useDrafts(owner) ?? [];
  const refreshAll = useRefreshAll([created, received, summary]);
  useDeliveries(owner, refreshAll);
  // Once the cards are there, so that the first one opens as quickly as the others, and what is
  // written without a connection is shown without one.
  // What is above and below the cards comes after them, but for what is waiting for the person.
  const isIdle = useIdle();
  const hasCards = created.value !== null;
  useEffect(() => {
    if (!hasCards) return;
    whenIdle(() => {
      for (const part of [CapsuleDialog, QueuedCard, OutboxStrip]) void part.prepare();
    });
  }, [hasCards]);

  const open = useCallback((capsuleId: string) => change({ capsuleId }), [change]);
  const turnTo = useCallback(
    (next: number) => change({ year: next === new Date().getFullYear() ? null : next }),
    [change],
  );

  const failure = shownFailure(created) ?? shownFailure(received);
  const profileFailure = shownFailure(me);
  const message = failure
    ? sentenceFrom(failure, 'Failed to load capsules')
    : profileFailure && `${sentenceFrom(profileFailure, '')} ${LOGIN_HINT}`.trim();
  const shown = failure ?? profileFailure;

  return (
    <>
      <Banner
        message={shown === dismissed ? null : message}
        onDismiss={() => {
          setDismissed(shown);
          focusHeading();
        }}
      />
      <Suspense fallback={null}>
        {queued.length > 0 && <OutboxStrip items={queued} now={now} />}
        {(isIdle || drafts.length > 0) && <UnfinishedDrafts drafts={drafts} owner={owner} />}
        {isIdle && created.value?.pagination.totalItems ? <InstallStrip /> : null}
      </Suspense>
      <div className={styles.columns}>
        <SummaryTiles summary={summary} now={now} />
        <NextUnlocks
          summary={summary.value?.summary ?? null}
          isWaiting={isWaiting}
          now={now}
          onOpen={open}
        />
        <div className={styles.main}>
          <CapsuleTabs
            owner={owner}
            queued={queued}
            lists={{ 'my-capsules': created, received }}
            address={address}
            change={change}
            refreshAll={refreshAll}
            now={now}
          />
        </div>
        <Suspense fallback={null}>
          {isIdle && (
            <Figures
              summary={summary.value?.summary ?? null}
              isWaiting={isWaiting}
              year={year}
              onYear={turnTo}
            />
          )}
        </Suspense>
      </div>
      <Suspense fallback={null}>
        {address.capsuleId !== null && (
          <CapsuleDialog
            owner={owner}
            id={address.capsuleId}
            now={now}
            known={nextUnlocks.find(({ id }) => id === address.capsuleId) ?? null}
            onClose={onCapsuleClose}
          />
        )}
        {searchesPeople && <UserSearch onClose={onSearchEnd} />}
      </Suspense>
    </>
  );
}

const NO_UNLOCKS: readonly NextUnlock[] = [];
const NONE_QUEUED: readonly OutboxRow[] = [];

/** For what changes lists and figures alike. */
function useRefreshAll(shown: readonly Kept<unknown>[]): () => Promise<unknown> {
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  return useCallback(() => Promise.all(latest.current.map((kept) => kept.refresh())), []);
}

/** What has just been sealed, by any page or the worker. */
function useDeliveries(owner: string | null, refreshAll: () => Promise<unknown>) {
  useEffect(
    () =>
      onDelivered((news) => {
        if (news.owner === owner) void refreshAll();
      }),
    [owner, refreshAll],
  );
}

/** A lost connection over a list that the device keeps is no error: its age is shown instead. */
function shownFailure({ error, value }: Kept<unknown>): Error | null {
  if (error === null || (isConnectionError(error) && value !== null)) return null;
  if (isConnectionError(error) && !navigator.onLine) return null;
  return error instanceof Error ? error : null;
}
