import type { DashboardSummary, NextUnlock } from '../../../shared/api/capsules.ts';
import { daysRemaining, unlockCardText, unlockColour } from '../../../shared/capsule-time.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { Resource } from '../../hooks/use-resource.ts';
import { longDay, waitText } from '../words.ts';
import styles from './next-unlocks.module.css';

interface NextUnlocksProps {
  summary: Resource<DashboardSummary>;
  now: Date;
  onOpen: (id: string) => void;
}

/** The next capsules to open, soonest first. */
export function NextUnlocks({ summary, now, onOpen }: NextUnlocksProps) {
  const { data, isLoading } = summary;
  if (isLoading) return <Waiting />;
  if (!data || data.nextUnlocks.length === 0) return null;
  return (
    <Card title="Upcoming unlocks" className={styles.card}>
      <ol className={styles.list}>
        {data.nextUnlocks.map((next) => (
          <li key={next.id}>
            <UnlockCard next={next} now={now} onOpen={() => onOpen(next.id)} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Reserves the space, so that nothing below moves when the answer comes. */
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
  // The server's count, less the days since it was fetched.
  const days = Math.min(next.daysRemaining, daysRemaining(capsule, now));
  const colour = unlockColour(days);
  // A device whose clock has reached the day cannot know yet that the capsule has opened.
  const isOpen = next.daysRemaining <= 0;
  return (
    <button type="button" className={styles.unlock} data-colour={colour} onClick={onOpen}>
      <span className={styles.when}>
        <Badge tone={colour}>
          {days > 0 || isOpen ? unlockCardText(days) : waitText(capsule, now)}
        </Badge>
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
