import type { Capsule } from '../../../shared/api/capsules.ts';
import type { Notice } from '../../../shared/api/notices.ts';
import { useNotices } from '../../state/notices.ts';
import { longDate, longDay, timeText } from '../words.ts';
import styles from './capsule-dialog.module.css';

// The first date of a kind takes long to write: it is written before somebody waits for it.
longDate(new Date().toISOString());

/** Who and when: true of a capsule whether it has opened or not. */
export function CapsuleFacts({ capsule }: { capsule: Capsule }) {
  const notices = useNotices(capsule);
  return (
    <dl className={styles.facts}>
      <div className={styles.people}>
        <dt>From</dt>
        <dd>{capsule.createdBy}</dd>
      </div>
      <div className={styles.people}>
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
        {isElsewhere(capsule) && <dd className={styles.media}>{hereText(capsule)}</dd>}
      </div>
      {notices.length > 0 && (
        <div className={styles.notices}>
          <dt>Mail about it</dt>
          {notices.map((notice) => (
            <dd key={notice.recipientEmail}>
              {notice.recipientName}: {noticeText(notice)}
            </dd>
          ))}
        </div>
      )}
    </dl>
  );
}

/** The day begins at another moment where the reader is. */
function isElsewhere({ dateToUnlock, unlockAt }: Capsule): boolean {
  return Date.parse(`${dateToUnlock}T00:00`) !== Date.parse(unlockAt);
}

function hereText({ unlockAt }: Capsule): string {
  return `${longDate(unlockAt)}, ${timeText(Date.parse(unlockAt))} in your time zone`;
}

function noticeText({ kind, state, sentAt }: Notice): string {
  if (state === 'refused') return 'the address does not take mail';
  if (state === 'unreachable') return 'could not be reached by mail for three days';
  const told = kind === 'capsule-waiting' ? 'told that it waits' : 'told that it has opened';
  return state === 'sent' && sentAt ? `${told}, ${longDate(sentAt)}` : 'the mail is on its way';
}

export function mediaText({ mediaCount }: Pick<Capsule, 'mediaCount'>): string {
  return mediaCount === 1 ? '1 file' : `${mediaCount} files`;
}
