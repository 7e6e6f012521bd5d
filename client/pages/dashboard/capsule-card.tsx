import { memo } from 'react';
import type { Capsule, CapsuleType } from '../../../shared/api/capsules.ts';
import { progressPercent } from '../../../shared/capsule-time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CapsuleSeal } from '../../ui/capsule-seal.tsx';
import { Lock, LockOpen, Paperclip, Trash } from '../../ui/icon.tsx';
import { Meter } from '../meter.tsx';
import { longDay, waitText } from '../words.ts';
import styles from './capsule-card.module.css';

interface CapsuleCardProps {
  capsule: Capsule;
  /** The list it stands in; a letter to oneself stands in both. */
  list: CapsuleType;
  now: Date;
  onOpen: (id: string) => void;
  /** Absent where nothing may be deleted. */
  onDelete?: (id: string) => void;
}

export const CapsuleCard = memo(function CapsuleCard(props: CapsuleCardProps) {
  const { capsule, list, now, onOpen, onDelete } = props;
  const { id, title, description, locked, unlockDate, mediaCount } = capsule;
  const Mark = locked ? Lock : LockOpen;
  return (
    <article className={styles.card}>
      <CapsuleSeal capsule={capsule} now={now} size={72} label={null} />
      <div className={styles.words}>
        <h3 className={styles.title}>{title}</h3>
        <p className={styles.people}>
          {list === 'created'
            ? `To ${capsule.recipientEmails.join(', ')}`
            : `From ${capsule.senderName}`}
        </p>
      </div>
      <p className={styles.description}>{description}</p>
      <div className={styles.status}>
        <Badge tone={locked ? 'copper' : 'verdigris'} icon={<Mark size={14} aria-hidden="true" />}>
          {waitText(capsule, now)}
        </Badge>
        <time className="stamp" dateTime={unlockDate}>
          {longDay(unlockDate)}
        </time>
        {mediaCount > 0 && (
          <span className={styles.media}>
            <Paperclip size={14} aria-hidden="true" />
            {mediaCount === 1 ? '1 file' : `${mediaCount} files`}
          </span>
        )}
      </div>
      <Progress percent={locked ? progressPercent(capsule, now) : 100} locked={locked} />
      <div className={styles.actions}>
        <Button onClick={() => onOpen(id)} aria-label={`View details of ${title}`}>
          View details
        </Button>
        {onDelete && (
          <Button
            variant="quiet"
            className={styles.delete}
            icon={<Trash size={18} aria-hidden="true" />}
            aria-label={`Delete ${title}`}
            onClick={() => onDelete(id)}
          >
            Delete
          </Button>
        )}
      </div>
    </article>
  );
});

/** How much of the wait is over. */
function Progress({ percent, locked }: { percent: number; locked: boolean }) {
  const whole = Math.floor(percent);
  return (
    <div className={styles.progress}>
      <Meter label="Time passed" percent={percent} tone={locked ? 'copper' : 'verdigris'} />
      <span className="stamp" aria-hidden="true">
        {whole}%
      </span>
    </div>
  );
}
