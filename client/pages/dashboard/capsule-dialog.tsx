import { Suspense } from 'react';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { CallError, messageFrom } from '../../http/call-error.ts';
import { useCapsule } from '../../state/capsules.ts';
import { CapsuleSeal } from '../../ui/capsule-seal.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { lazyPart } from '../lazy-part.ts';
import { isConnectionError, longDay, updatedText, waitText } from '../words.ts';
import styles from './capsule-dialog.module.css';
import { CapsuleFacts, mediaText } from './capsule-dialog-facts.tsx';

const OpenedCapsule = lazyPart(async () => (await import('./opened-capsule.tsx')).OpenedCapsule);

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
          {value && isConnectionError(error) && (
            <p className={styles.age}>No connection · {updatedText(value.fetchedAt, now)}</p>
          )}
          {capsule.locked ? (
            <LockedCapsule capsule={capsule} now={now} />
          ) : (
            <Suspense fallback={<p role="status">Loading...</p>}>
              <OpenedCapsule key={capsule.id} capsule={capsule} now={now} />
            </Suspense>
          )}
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

function LockedCapsule({ capsule, now }: { capsule: Capsule; now: Date }) {
  return (
    <>
      <div className={styles.head}>
        <CapsuleSeal capsule={capsule} now={now} size={72} label={null} />
        <div>
          <p className={styles.wait}>{waitText(capsule, now)}</p>
          <p className={styles.media}>{mediaText(capsule)}</p>
        </div>
      </div>
      <p className={styles.description}>{capsule.description}</p>
      <CapsuleFacts capsule={capsule} />
      <p className={styles.locked}>
        This capsule is still locked. Come back on {longDay(capsule.dateToUnlock)} to view its
        contents.
      </p>
    </>
  );
}
