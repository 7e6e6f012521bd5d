import type { ComponentProps } from 'react';
import type { Capsule, CapsuleType } from '../../../shared/api/capsules.ts';
import { progressPercent } from '../../../shared/capsule-time.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import { CloudOff, Lock, LockOpen, Paperclip, Send, Trash } from '../../components/icon.tsx';
import { Meter } from '../../components/progress-bar.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import { useOnline } from '../../hooks/device-state.ts';
import { useProgress } from '../../hooks/use-outbox.ts';
import { fileCountText, longDay, waitText } from '../format.ts';
import { explanation, queuedCapsule, stateText } from '../outbox/outbox-item.ts';
import styles from './capsule-list.module.css';

interface CapsuleCardProps {
  capsule: Capsule;
  /** The list this card is in. A letter to oneself is in both. */
  list: CapsuleType;
  now: Date;
  onOpen: (id: string) => void;
  /** Only the person's own capsules can be deleted. */
  onDelete: ((id: string) => void) | undefined;
}

export function CapsuleCard(props: CapsuleCardProps) {
  const { capsule, list, now, onOpen, onDelete } = props;
  const { id, title, description, locked, unlockDate, mediaCount } = capsule;
  const Mark = locked ? Lock : LockOpen;
  const tone = locked ? 'copper' : 'verdigris';
  return (
    <article className={styles.card}>
      <CapsuleSeal capsule={capsule} now={now} size={72} />
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
        <Badge tone={tone} icon={<Mark size={14} aria-hidden="true" />}>
          {waitText(capsule, now)}
        </Badge>
        <time className="stamp" dateTime={unlockDate}>
          {longDay(unlockDate)}
        </time>
        <FileCount count={mediaCount} />
      </div>
      <Progress
        label="Time passed"
        percent={locked ? progressPercent(capsule, now) : 100}
        tone={tone}
      />
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
}

/** A capsule that waits to be sent. The lists do not count it yet. */
export function QueuedCard({ item, now }: { item: OutboxRow; now: Date }) {
  const online = useOnline();
  const { percent } = useProgress(item);
  const { fields, fileCount, state } = item;
  const Mark = online ? Send : CloudOff;
  const reason = explanation(item, now);
  return (
    <article className={styles.card}>
      <CapsuleSeal capsule={queuedCapsule(item)} now={now} size={72} />
      <div className={styles.words}>
        <h3 className={styles.title}>{fields.title}</h3>
        <p className={styles.people}>To {fields.recipients.map(({ email }) => email).join(', ')}</p>
      </div>
      <p className={styles.description}>{fields.description}</p>
      {reason && <p className={styles.reason}>{reason}</p>}
      <div className={styles.status}>
        <Badge icon={<Mark size={14} aria-hidden="true" />}>
          {stateText(item, { online, now, percent })}
        </Badge>
        <time className="stamp" dateTime={fields.dateToUnlock}>
          {longDay(fields.dateToUnlock)}
        </time>
        <FileCount count={fileCount} />
      </div>
      {state === 'sending' && <Progress label="Uploaded" percent={percent} tone="copper" />}
      <div className={styles.actions}>
        <ButtonLink to="/outbox" aria-label={`Show ${fields.title} in the outbox`}>
          Show in outbox
        </ButtonLink>
      </div>
    </article>
  );
}

function FileCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={styles.media}>
      <Paperclip size={14} aria-hidden="true" />
      {fileCountText(count)}
    </span>
  );
}

/** A meter and its number. */
function Progress(meter: ComponentProps<typeof Meter>) {
  return (
    <div className={styles.progress}>
      <Meter {...meter} />
      <span className="stamp" aria-hidden="true">
        {Math.floor(meter.percent)}%
      </span>
    </div>
  );
}
