import { memo } from 'react';
import type { DashboardSummary, NextUnlock } from '../../../shared/api/capsules.ts';
import { daysRemaining, unlockCardText, unlockColour } from '../../../shared/capsule-time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { longDay, waitText } from '../words.ts';
import styles from './next-unlocks.module.css';

interface NextUnlocksProps {
  /** Null while it is not known. */
  summary: DashboardSummary | null;
  /** It is on its way: the place is kept, so that nothing below moves when it comes. */
  isWaiting: boolean;
  now: Date;
  onOpen: (id: string) => void;
}

/** The next capsules to open, soonest first. */
export const NextUnlocks = memo(function NextUnlocks(props: NextUnlocksProps) {
  const { summary, isWaiting, now, onOpen } = props;
  if (!summary && isWaiting) return <Waiting />;
  if (!summary || summary.nextUnlocks.length === 0) return null;
  return (
    <Card title="Upcoming unlocks" className={styles.card}>
      <ol className={styles.list}>
        {summary.nextUnlocks.map((next) => (
          <li key={next.id}>
            <UnlockCard next={next} now={now} onOpen={() => onOpen(next.id)} />
          </li>
        ))}
      </ol>
    </Card>
  );
});

function Waiting() {
  return (
    <Card title="Upcoming unlocks" className={styles.card}>
      <div className={styles.list}>
        <div className={styles.unlock}>
          <Skeleton width="8rem" height="1.75rem" />
          <Skeleton width="60%" height="1.3rem" />
          <Skeleton width="80%" height="1.3rem" />
        </div>
      </div>
    </Card>
  );
}

function UnlockCard(props: { next: NextUnlock; now: Date; onOpen: () => void }) {
  const { next, now, onOpen } = props;
  const capsule = { dateToUnlock: next.unlockDate, timeZone: next.timeZone, locked: true };
  // What the server counted may be days old by now; that it is still locked is all it says here.
  const days = daysRemaining(capsule, now);
  const colour = unlockColour(days);
  return (
    <button type="button" className={styles.unlock} data-colour={colour} onClick={onOpen}>
      <span className={styles.when}>
        <Badge tone={colour}>{days > 0 ? unlockCardText(days) : waitText(capsule, now)}</Badge>
        <time className="stamp" dateTime={next.unlockDate}>
          {longDay(next.unlockDate)}
        </time>
      </span>
      <span className={styles.title}>{next.title}</span>
      <span className={styles.detail}>
        {next.type === 'created' ? 'Created' : 'Received'} · From {next.senderName}
      </span>
    </button>
  );
}
