import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import { isConnectionError } from '../../api/errors.ts';
import { Card } from '../../components/card.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { Resource } from '../../hooks/use-resource.ts';
import { Meter } from '../meter.tsx';
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
  summary: Resource<DashboardSummary>;
  now: Date;
}

export function SummaryTiles({ summary, now }: SummaryTilesProps) {
  const { data, error, fetchedAt, isLoading } = summary;
  return (
    <section className={styles.summary} aria-label="Summary">
      <dl className={styles.tiles}>
        {TILES.map(([label, read]) => (
          <div key={label} className={styles.tile}>
            <dt>{label}</dt>
            <dd className={styles.count}>
              {data ? read(data) : isLoading ? <Skeleton width="2ch" height="1.75rem" /> : '–'}
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
    if (error !== null && !(data && isConnectionError(error))) {
      return 'Failed to load dashboard summary.';
    }
    if (data) {
      const age = updatedText(fetchedAt, now);
      return isConnectionError(error) ? `No connection · ${age}` : age;
    }
    return isLoading ? 'Loading summary...' : 'Not saved on this device.';
  }
}

/** How much of the person's storage their files use. */
export function StorageMeter({ summary }: { summary: DashboardSummary | null }) {
  if (!summary) return null;
  const { totalMB, limitMB, percentageUsed } = summary.storageUsed;
  const text = `${totalMB.toFixed(1)} MB of ${limitMB.toFixed(1)} MB`;
  return (
    <Card title="Storage">
      <div className={styles.storage}>
        <span className="stamp">{text}</span>
        <span className="stamp">{percentageUsed.toFixed(1)}%</span>
      </div>
      <Meter
        label="Storage used"
        percent={Math.min(100, percentageUsed)}
        tone={percentageUsed >= 90 ? 'red' : 'verdigris'}
        text={`${text}, ${percentageUsed.toFixed(1)}%`}
      />
    </Card>
  );
}
