import { Paperclip } from '../../components/icon.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import { useProgress } from '../../hooks/sent-bytes.ts';
import { longDay, megabytesText } from '../words.ts';
import styles from './outbox.module.css';
import { OutboxActions } from './outbox-actions.tsx';
import { explanation, stateText } from './outbox-words.ts';
import { QueuedSeal } from './queued-seal.tsx';

interface OutboxRowCardProps {
  item: OutboxRow;
  online: boolean;
  now: Date;
}

export function OutboxRowCard({ item, online, now }: OutboxRowCardProps) {
  const { sent, percent } = useProgress(item);
  const { fields, fileCount, totalBytes } = item;
  const reason = explanation(item, now);
  const fieldErrors = Object.values(item.failure?.errors ?? {}).filter((text) => text !== reason);
  return (
    <article className={styles.row} aria-label={fields.title} tabIndex={-1}>
      <QueuedSeal item={item} now={now} />
      <div className={styles.words}>
        <h2 dir="auto">{fields.title}</h2>
        <p className={styles.facts}>
          To {fields.recipients.map(({ email }) => email).join(', ')} ·{' '}
          <time dateTime={fields.dateToUnlock}>opens {longDay(fields.dateToUnlock)}</time>
        </p>
        <p className={styles.state} role="status">
          {/* The bar below shows each percent, and speaks of each quarter only. */}
          {stateText(item, { online, now, percent: 0 })}
        </p>
        {reason && <p>{reason}</p>}
        {fieldErrors.length > 0 && (
          <ul className={styles.errors}>
            {fieldErrors.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {fileCount > 0 && (
          <p className={styles.facts}>
            <Paperclip size={14} aria-hidden="true" />
            {fileCount === 1 ? '1 file' : `${fileCount} files`} ·{' '}
            {sent > 0
              ? `${megabytesText(sent)} of ${megabytesText(totalBytes)} sent`
              : megabytesText(totalBytes)}
          </p>
        )}
      </div>
      {item.state === 'sending' && (
        <div className={styles.progress}>
          <ProgressBar label="Uploading" percent={percent} />
        </div>
      )}
      <OutboxActions item={item} now={now} />
    </article>
  );
}
