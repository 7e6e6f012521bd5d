import type { OutboxRow } from '../../local/db.ts';
import { useProgress } from '../../state/sent-bytes.ts';
import { useOnline } from '../../state/use-online.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { CloudOff, Paperclip, Send } from '../../ui/icon.tsx';
import { Meter } from '../meter.tsx';
import { stateText } from '../outbox/outbox-words.ts';
import { QueuedSeal } from '../outbox/queued-seal.tsx';
import { longDay } from '../words.ts';
import styles from './capsule-card.module.css';

/** A capsule that is sealed here and not yet on the server; counted by no list. */
export function QueuedCard({ item, now }: { item: OutboxRow; now: Date }) {
  const online = useOnline();
  const { percent } = useProgress(item);
  const { fields, fileCount, state } = item;
  const Mark = online ? Send : CloudOff;
  return (
    <article className={styles.card}>
      <QueuedSeal item={item} now={now} />
      <div className={styles.words}>
        <h3 className={styles.title}>{fields.title}</h3>
        <p className={styles.people}>To {fields.recipients.map(({ email }) => email).join(', ')}</p>
      </div>
      <p className={styles.description}>{fields.description}</p>
      <div className={styles.status}>
        <Badge icon={<Mark size={14} aria-hidden="true" />}>
          {stateText(item, { online, now, percent })}
        </Badge>
        <time className="stamp" dateTime={fields.dateToUnlock}>
          {longDay(fields.dateToUnlock)}
        </time>
        {fileCount > 0 && (
          <span className={styles.media}>
            <Paperclip size={14} aria-hidden="true" />
            {fileCount === 1 ? '1 file' : `${fileCount} files`}
          </span>
        )}
      </div>
      {state === 'sending' && (
        <div className={styles.progress}>
          <Meter label="Uploaded" percent={percent} tone="copper" />
          <span className="stamp" aria-hidden="true">
            {percent}%
          </span>
        </div>
      )}
      <div className={styles.actions}>
        <ButtonLink to="/outbox" aria-label={`Show ${fields.title} in the outbox`}>
          Show in outbox
        </ButtonLink>
      </div>
    </article>
  );
}
