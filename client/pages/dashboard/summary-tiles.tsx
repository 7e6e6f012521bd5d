import { memo } from 'react';
import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import { isConnectionError } from '../../http/call-error.ts';
import type { SummaryRow } from '../../local/db.ts';
import type { Kept } from '../../state/use-kept.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { updatedText } from '../words.ts';
import styles from './summary-tiles.module.css';

const TILES: readonly [label: string, value: (summary: DashboardSummary) => number][] = [
  ['Total capsules', ({ totalCapsules }) => totalCapsules],
  ['Still locked', ({ lockedCapsules }) => lockedCapsules],
  ['Created', ({ createdCapsules }) => createdCapsules],
  ['Received', ({ receivedCapsules }) => receivedCapsules],
  ['Opening this week', ({ upcomingUnlocks }) => upcomingUnlocks.thisWeek],
  ['Opening this month', ({ upcomingUnlocks }) => upcomingUnlocks.thisMonth],
];

interface SummaryTilesProps {
  summary: Kept<SummaryRow>;
  now: Date;
}

export const SummaryTiles = memo(function SummaryTiles({ summary, now }: SummaryTilesProps) {
  const { value, error, isRead, isRefreshing } = summary;
  const isWaiting = error === null && (!isRead || isRefreshing);
  return (
    <section className={styles.summary} aria-label="Summary">
      <dl className={styles.tiles}>
        {TILES.map(([label, read]) => (
          <div key={label} className={styles.tile}>
            <dt>{label}</dt>
            <dd className={styles.count}>
              {value ? (
                read(value.summary)
              ) : isWaiting ? (
                <Skeleton width="2ch" height="1.75rem" />
              ) : (
                '–'
              )}
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.note} role="status">
        {note()}
      </p>
    </section>
  );

  function note(): string {
    if (error !== null && !(value && isConnectionError(error))) {
      return 'Failed to load dashboard summary.';
    }
    if (value) {
      const age = updatedText(value.fetchedAt, now);
      return isConnectionError(error) ? `No connection · ${age}` : age;
    }
    return isWaiting ? 'Loading summary...' : 'Not saved on this device.';
  }
});
