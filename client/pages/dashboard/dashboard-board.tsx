import { useCallback, useEffect, useRef, useState } from 'react';
import { PROFILE_LOAD_HINT } from '../../../shared/sentences.ts';
import { isConnectionError, sentenceFrom } from '../../api/errors.ts';
import { Banner } from '../../components/banner.tsx';
import { useMe, useUserId } from '../../hooks/person.ts';
import { useCapsuleList, useSummary } from '../../hooks/use-capsules.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useDrafts, useOutbox } from '../../hooks/use-outbox.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import { onDelivered } from '../../sync/locks.ts';
import { focusHeading } from '../focus.ts';
import { InstallStrip } from '../install/install-strip.tsx';
import { UnfinishedDrafts } from '../unfinished-drafts.tsx';
import type { ChangeAddress, DashboardAddress } from './address.ts';
import { CapsuleDialog } from './capsule-dialog.tsx';
import { CapsuleTabs } from './capsule-tabs.tsx';
import styles from './dashboard.module.css';
import { MonthlyChart } from './monthly-chart.tsx';
import { NextUnlocks } from './next-unlocks.tsx';
import { OutboxStrip } from './outbox-strip.tsx';
import { StorageMeter, SummaryTiles } from './summary-tiles.tsx';

interface DashboardBoardProps {
  address: DashboardAddress;
  change: ChangeAddress;
  onCapsuleClose: () => void;
}

/** All of the dashboard that shows data. */
export function DashboardBoard({ address, change, onCapsuleClose }: DashboardBoardProps) {
  const userId = useUserId();
  const me = useMe();
  const now = useNow();
  const year = address.year ?? now.getFullYear();
  const summary = useSummary(year);
  const { tab, query, capsuleId } = address;
  const pageOf = (list: typeof tab) => (list === tab ? address.page : 1);
  const created = useCapsuleList({ type: 'created', query, page: pageOf('my-capsules') });
  const received = useCapsuleList({ type: 'received', query, page: pageOf('received') });
  const queued = useOutbox(userId) ?? [];
  const drafts = useDrafts(userId) ?? [];
  const refreshAll = useRefreshAll([created, received, summary]);
  useDeliveries(userId, refreshAll);

  const open = (id: string) => change({ capsuleId: id });
  const known = summary.data?.nextUnlocks.find(({ id }) => id === capsuleId) ?? null;
  return (
    <>
      <Failure lists={[created, received]} me={me} />
      {queued.length > 0 && <OutboxStrip items={queued} now={now} />}
      <UnfinishedDrafts drafts={drafts} />
      {created.data?.pagination.totalItems ? <InstallStrip /> : null}
      <div className={styles.columns}>
        <SummaryTiles summary={summary} now={now} />
        <NextUnlocks summary={summary} now={now} onOpen={open} />
        <div className={styles.main}>
          <CapsuleTabs
            queued={queued}
            lists={{ 'my-capsules': created, received }}
            address={address}
            change={change}
            refreshAll={refreshAll}
            now={now}
          />
        </div>
        <StorageMeter summary={summary.data} />
        <MonthlyChart
          summary={summary}
          year={year}
          onYear={(next) => change({ year: next === now.getFullYear() ? null : next })}
        />
      </div>
      {capsuleId !== null && (
        <CapsuleDialog
          key={capsuleId}
          id={capsuleId}
          now={now}
          known={known}
          onClose={onCapsuleClose}
        />
      )}
    </>
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

/** A lost connection is no error while a cached answer is shown: its age says enough. */
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
  return useCallback(() => Promise.all(latest.current.map(({ refresh }) => refresh())), []);
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
