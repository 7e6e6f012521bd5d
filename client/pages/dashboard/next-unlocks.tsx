import type { DashboardSummary, NextUnlock } from '../../../shared/api/capsules.ts';
import { unlockCardText, unlockColour } from '../../../shared/capsule-time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { longDay } from '../words.ts';
import styles from './next-unlocks.module.css';

interface NextUnlocksProps {
  summary: DashboardSummary | null;
  onOpen: (id: string) => void;
}

/** The next capsules to open, soonest first. */
export function NextUnlocks({ summary, onOpen }: NextUnlocksProps) {
  if (!summary || summary.nextUnlocks.length === 0) return null;
  return (
    <Card title="Upcoming unlocks" className={styles.card}>
      <ol className={styles.list}>
        {summary.nextUnlocks.map((next) => (
          <li key={next.id}>
            <UnlockCard next={next} onOpen={() => onOpen(next.id)} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function UnlockCard({ next, onOpen }: { next: NextUnlock; onOpen: () => void }) {
  const colour = unlockColour(next.daysRemaining);
  return (
    <button type="button" className={styles.unlock} data-colour={colour} onClick={onOpen}>
      <span className={styles.title}>{next.title}</span>
      <span className={styles.when}>
        <Badge tone={colour}>{unlockCardText(next.daysRemaining)}</Badge>
      </span>
      <span className={styles.detail}>
        {next.type === 'created' ? 'Created' : 'Received'} · From {next.senderName}
      </span>
      <span className={styles.detail}>
        <time dateTime={next.unlockDate}>{longDay(next.unlockDate)}</time>
      </span>
    </button>
  );
}
