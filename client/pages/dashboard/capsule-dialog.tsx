import { Suspense, useState } from 'react';
import type { Capsule, NextUnlock } from '../../../shared/api/capsules.ts';
import { CallError, isConnectionError, messageFrom } from '../../http/call-error.ts';
import { useCapsule } from '../../state/capsules.ts';
import { CapsuleSeal } from '../../ui/capsule-seal.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { lazyPart } from '../lazy-part.ts';
import { longDay, updatedText, waitText } from '../words.ts';
import styles from './capsule-dialog.module.css';
import { CapsuleFacts, mediaText } from './capsule-dialog-facts.tsx';
import { useOpeningOnTime } from './use-opening-on-time.ts';

const OpenedCapsule = lazyPart(async () => (await import('./opened-capsule.tsx')).OpenedCapsule);
void OpenedCapsule.prepare();

interface CapsuleDialogProps {
  owner: string | null;
  id: string;
  now: Date;
  /** What the list of the next unlocks knows of it. */
  known: NextUnlock | null;
  onClose: () => void;
}

/** The details of a capsule: everything that may be seen of it. */
export function CapsuleDialog({ owner, id, now, known, onClose }: CapsuleDialogProps) {
  const { value, error, isRead, isRefreshing, refresh } = useCapsule(owner, id);
  // Deleted meanwhile, or never this person's: what was kept of it is gone too.
  const isGone = error instanceof CallError && error.status === 404;
  // A list or a search that goes, in another tab perhaps, may take its row with it.
  const [seen, setSeen] = useState(value);
  if (value && value !== seen) setSeen(value);
  const isSame = seen?.owner === owner && seen.id === id;
  const shown = value ?? (isSame ? seen : null);
  const capsule = isGone ? null : (shown?.capsule ?? null);
  usePageTitle(capsule?.title ?? null);
  useOpeningOnTime([capsule], now, refresh);
  return (
    <Dialog open isQuick size="large" title={titleOf()} onClose={onClose}>
      {capsule ? (
        <div className={styles.details}>
          {shown && isConnectionError(error) && (
            <p className={styles.age}>No connection · {updatedText(shown.fetchedAt, now)}</p>
          )}
          {capsule.locked ? (
            <LockedCapsule capsule={capsule} now={now} />
          ) : (
            <Suspense fallback={<p role="status">Loading...</p>}>
              <OpenedCapsule key={capsule.id} capsule={capsule} now={now} />
            </Suspense>
          )}
        </div>
      ) : isWaiting() ? (
        <Placeholder known={known} />
      ) : (
        <p role="status">{reason()}</p>
      )}
    </Dialog>
  );

  function titleOf(): string {
    if (capsule) return capsule.title;
    return isWaiting() ? (known?.title ?? 'Capsule') : 'Capsule not available';
  }
  function isWaiting(): boolean {
    return !isRead || (isRefreshing && error === null);
  }
  function reason(): string {
    if (isConnectionError(error)) return 'Not saved on this device.';
    return messageFrom(error, 'This capsule could not be loaded.');
  }
}

/** Before anything is known but what led here: its contents count as none. */
function Placeholder({ known }: { known: NextUnlock | null }) {
  return (
    <div className={styles.details}>
      <p className={styles.media}>{mediaText({ mediaCount: 0 })}</p>
      <p className={styles.description} role="status">
        Loading...
      </p>
      {known && (
        <dl className={styles.facts}>
          <div>
            <dt>From</dt>
            <dd>{known.senderName}</dd>
          </div>
          {known.type === 'created' && (
            <div>
              <dt>To</dt>
              <dd>Unknown</dd>
            </div>
          )}
          <div>
            <dt>Opens</dt>
            <dd>{longDay(known.unlockDate)}</dd>
          </div>
        </dl>
      )}
    </div>
  );
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
      <p className={styles.description} dir="auto">
        {capsule.description}
      </p>
      <CapsuleFacts capsule={capsule} />
      <p className={styles.locked}>
        This capsule is still locked. Come back on {longDay(capsule.dateToUnlock)} to view its
        contents.
      </p>
    </>
  );
}
