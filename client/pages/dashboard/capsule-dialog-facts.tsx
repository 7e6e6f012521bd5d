import type { Capsule } from '../../../shared/api/capsules.ts';
import { longDate, longDay } from '../words.ts';
import styles from './capsule-dialog.module.css';

/** Who and when: true of a capsule whether it has opened or not. */
export function CapsuleFacts({ capsule }: { capsule: Capsule }) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>From</dt>
        <dd>{capsule.createdBy}</dd>
      </div>
      <div>
        <dt>To</dt>
        {capsule.recipientEmails.map((email) => (
          <dd key={email}>{email}</dd>
        ))}
      </div>
      <div>
        <dt>Created</dt>
        <dd>
          <time dateTime={capsule.createdAt}>{longDate(capsule.createdAt)}</time>
        </dd>
      </div>
      <div>
        <dt>{capsule.locked ? 'Opens' : 'Opened'}</dt>
        <dd>
          <time dateTime={capsule.dateToUnlock}>{longDay(capsule.dateToUnlock)}</time>
        </dd>
      </div>
    </dl>
  );
}

export function mediaText({ mediaCount }: Pick<Capsule, 'mediaCount'>): string {
  return mediaCount === 1 ? '1 file' : `${mediaCount} files`;
}
