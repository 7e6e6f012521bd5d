import { useEffect, useRef, useState } from 'react';
import { sentenceFrom } from '../../http/call-error.ts';
import { useCapsuleList } from '../../state/capsules.ts';
import { useSummary } from '../../state/figures.ts';
import { useDrafts, useOutbox } from '../../state/outbox.ts';
import { useMe, useOwner } from '../../state/person.ts';
import type { Kept } from '../../state/use-kept.ts';
import { useMinute } from '../../state/use-minute.ts';
import { onDelivered } from '../../sync/delivery-news.ts';
import { Banner } from '../../ui/banner.tsx';
import { UnfinishedDrafts } from '../unfinished-drafts.tsx';
import { isConnectionError } from '../words.ts';
import type { ChangeAddress, DashboardAddress } from './address.ts';
import { CapsuleDialog } from './capsule-dialog.tsx';
import { CapsuleTabs } from './capsule-tabs.tsx';
import styles from './dashboard.module.css';
import { MonthlyChart } from './monthly-chart.tsx';
import { NextUnlocks } from './next-unlocks.tsx';
import { OutboxStrip } from './outbox-strip.tsx';
import { StorageMeter } from './storage-meter.tsx';
import { SummaryTiles } from './summary-tiles.tsx';
import { UserSearch } from './user-search.tsx';

const LOGIN_HINT =
  'Please try to perform logout and login. Also make sure third party cookie is allowed.';

interface DashboardBoardProps {
  address: DashboardAddress;
  change: ChangeAddress;
  /** The dialog in which other people are looked for is open. */
  searchesPeople: boolean;
  onSearchEnd: () => void;
}

/** All of the dashboard that shows data. */
export function DashboardBoard(props: DashboardBoardProps) {
  const { address, change, searchesPeople, onSearchEnd } = props;
  const owner = useOwner();
  const me = useMe();
  const now = useMinute();
  const [year, setYear] = useState(() => now.getFullYear());
  const [dismissed, setDismissed] = useState<Error | null>(null);

  const summary = useSummary(owner, year);
  const { tab, query } = address;
  const page = (of: typeof tab) => (of === tab ? address.page : 1);
  const created = useCapsuleList(owner, 'created', query, page('my-capsules'));
  const received = useCapsuleList(owner, 'received', query, page('received'));

  const queued = useOutbox(owner) ?? [];
  const drafts = useDrafts(owner) ?? [];
  useDeliveries(owner, [created, received, summary]);

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
        onDismiss={() => setDismissed(shown)}
      />
      <OutboxStrip items={queued} now={now} />
      <UnfinishedDrafts drafts={drafts} />
      <div className={styles.columns}>
        <SummaryTiles summary={summary} now={now} />
        <NextUnlocks
          summary={summary.value?.summary ?? null}
          onOpen={(capsuleId) => change({ capsuleId })}
        />
        <div className={styles.main}>
          <CapsuleTabs
            owner={owner}
            queued={queued}
            lists={{ 'my-capsules': created, received }}
            address={address}
            change={change}
            now={now}
          />
        </div>
        <StorageMeter summary={summary.value?.summary ?? null} />
        <MonthlyChart summary={summary.value?.summary ?? null} year={year} onYear={setYear} />
      </div>
      <CapsuleDialog
        owner={owner}
        id={address.capsuleId}
        now={now}
        onClose={() => change({ capsuleId: null }, { replace: true })}
      />
      <UserSearch open={searchesPeople} onClose={onSearchEnd} />
    </>
  );
}

/** What has just been sealed, by any page or the worker, changes lists and figures. */
function useDeliveries(owner: string | null, shown: readonly Kept<unknown>[]) {
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  useEffect(
    () =>
      onDelivered((news) => {
        if (news.owner === owner) for (const kept of latest.current) void kept.refresh();
      }),
    [owner],
  );
}

/** A lost connection over a list that the device keeps is no error: its age is shown instead. */
function shownFailure({ error, value }: Kept<unknown>): Error | null {
  if (error === null || (isConnectionError(error) && value !== null)) return null;
  if (isConnectionError(error) && !navigator.onLine) return null;
  return error instanceof Error ? error : null;
}
