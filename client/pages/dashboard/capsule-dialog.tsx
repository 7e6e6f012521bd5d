import type { Capsule } from '../../../shared/api/capsules.ts';
import { CallError, messageFrom } from '../../http/call-error.ts';
import { useCapsule } from '../../state/capsules.ts';
import { CapsuleSeal } from '../../ui/capsule-seal.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { isConnectionError, longDate, longDay, updatedText, waitText } from '../words.ts';
import styles from './capsule-dialog.module.css';
import { FileList } from './file-list.tsx';

interface CapsuleDialogProps {
  owner: string | null;
  /** Null while no capsule is looked at. */
  id: string | null;
  now: Date;
  onClose: () => void;
}

/** The details of a capsule: everything that may be seen of it. */
export function CapsuleDialog({ owner, id, now, onClose }: CapsuleDialogProps) {
  const { value, error, isRead, isRefreshing } = useCapsule(owner, id);
  if (id === null) return null;
  // Deleted meanwhile, or never this person's: what was kept of it is gone too.
  const isGone = error instanceof CallError && error.status === 404;
  const capsule = isGone ? null : (value?.capsule ?? null);
  return (
    <Dialog open size="large" title={titleOf()} onClose={onClose}>
      {capsule ? (
        <div className={styles.details}>
          <Facts capsule={capsule} now={now} />
          {value && isConnectionError(error) && (
            <p className={styles.age}>No connection · {updatedText(value.fetchedAt, now)}</p>
          )}
          {capsule.locked ? <Locked capsule={capsule} /> : <Contents capsule={capsule} />}
        </div>
      ) : (
        <p role="status">{placeholder()}</p>
      )}
    </Dialog>
  );

  function titleOf(): string {
    return capsule?.title ?? (isWaiting() ? 'Capsule' : 'Capsule not available');
  }
  function isWaiting(): boolean {
    return !isRead || (isRefreshing && error === null);
  }
  function placeholder(): string {
    if (isWaiting()) return 'Loading...';
    if (isConnectionError(error)) return 'Not saved on this device.';
    return messageFrom(error, 'This capsule could not be loaded.');
  }
}

function Facts({ capsule, now }: { capsule: Capsule; now: Date }) {
  return (
    <>
      <div className={styles.head}>
        <CapsuleSeal capsule={capsule} now={now} size={72} label={null} />
        <div>
          <p className={styles.wait} data-open={!capsule.locked || undefined}>
            {waitText(capsule, now)}
          </p>
          <p className={styles.media}>
            {capsule.mediaCount === 1 ? '1 file' : `${capsule.mediaCount} files`}
          </p>
        </div>
      </div>
      <p className={styles.description}>{capsule.description}</p>
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
    </>
  );
}

function Locked({ capsule }: { capsule: Capsule }) {
  return (
    <p className={styles.locked}>
      This capsule is still locked. Come back on {longDay(capsule.dateToUnlock)} to view its
      contents.
    </p>
  );
}

function Contents({ capsule }: { capsule: Capsule }) {
  return (
    <>
      {capsule.personalMessage && (
        <section>
          <h3>Personal message</h3>
          <p className={styles.letter}>{capsule.personalMessage}</p>
        </section>
      )}
      {capsule.fileInfo.length > 0 && <FileList files={capsule.fileInfo} />}
      {!capsule.personalMessage && capsule.fileInfo.length === 0 && (
        <p>This capsule holds no message and no files.</p>
      )}
    </>
  );
}
