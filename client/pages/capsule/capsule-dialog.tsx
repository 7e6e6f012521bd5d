import { useState } from 'react';
import type { Capsule, NextUnlock } from '../../../shared/api/capsules.ts';
import { CallError, isConnectionError, messageFrom } from '../../api/errors.ts';
import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { usePageTitle } from '../../components/page-title.ts';
import { useCapsule } from '../../hooks/use-capsules.ts';
import { useOpeningOnTime } from '../../hooks/use-now.ts';
import { longDay, updatedText, waitText } from '../format.ts';
import styles from './capsule-dialog.module.css';
import { CapsuleFacts, mediaText } from './capsule-facts.tsx';
import { OpenedCapsule } from './opened-capsule.tsx';

interface CapsuleDialogProps {
  id: string;
  now: Date;
  /** The capsule's entry in the upcoming unlocks, shown until its details are there. */
  known: NextUnlock | null;
  onClose: () => void;
}

export function CapsuleDialog({ id, now, known, onClose }: CapsuleDialogProps) {
  const { data, fetchedAt, error, isLoading, refresh } = useCapsule(id);
  // Deleted meanwhile, or not this person's capsule.
  const isGone = error instanceof CallError && error.status === 404;
  // A list that no longer names the capsule may remove it from the cache while it is shown.
  const [seen, setSeen] = useState({ data, fetchedAt });
  if (data && data !== seen.data) setSeen({ data, fetchedAt });
  const capsule = isGone ? null : seen.data;
  usePageTitle(capsule?.title ?? null);
  useOpeningOnTime([capsule], now, refresh);
  return (
    <Dialog size="large" title={titleOf()} onClose={onClose}>
      {capsule ? (
        <div className={styles.details}>
          {isConnectionError(error) && (
            <p className={styles.age}>No connection · {updatedText(seen.fetchedAt, now)}</p>
          )}
          {capsule.locked ? (
            <LockedCapsule capsule={capsule} now={now} />
          ) : (
            <OpenedCapsule capsule={capsule} now={now} />
          )}
        </div>
      ) : isLoading ? (
        <Placeholder known={known} />
      ) : (
        <p role="status">{reason()}</p>
      )}
    </Dialog>
  );

  function titleOf(): string {
    if (capsule) return capsule.title;
    return isLoading ? (known?.title ?? 'Capsule') : 'Capsule not available';
  }
  function reason(): string {
    if (isConnectionError(error)) return 'Not saved on this device.';
    return messageFrom(error, 'This capsule could not be loaded.');
  }
}

/** Shown until the details are there; the specification counts no files then. */
function Placeholder({ known }: { known: NextUnlock | null }) {
  return (
    <div className={styles.details}>
      <p className={styles.media}>0 files</p>
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
        <CapsuleSeal capsule={capsule} now={now} size={72} />
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
