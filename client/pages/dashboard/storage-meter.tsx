import { memo } from 'react';
import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import { Card } from '../../ui/card.tsx';
import { Meter } from '../meter.tsx';
import styles from './storage-meter.module.css';

interface StorageMeterProps {
  summary: DashboardSummary | null;
}

/** How much of the person's room their files take. */
export const StorageMeter = memo(function StorageMeter({ summary }: StorageMeterProps) {
  if (!summary) return null;
  const { totalMB, limitMB, percentageUsed } = summary.storageUsed;
  const text = `${totalMB.toFixed(1)} MB of ${limitMB.toFixed(1)} MB`;
  return (
    <Card title="Storage">
      <div className={styles.text}>
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
});
