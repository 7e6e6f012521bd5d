import type { Capsule } from '../../../shared/api/capsules.ts';
import { CapsuleSeal, yearsOf } from '../../ui/capsule-seal.tsx';
import { SealOpening } from '../../ui/seal-opening.tsx';
import { waitText } from '../words.ts';
import details from './capsule-dialog.module.css';
import { CapsuleFacts, mediaText } from './capsule-dialog-facts.tsx';
import styles from './opened-capsule.module.css';
import { OpenedFiles } from './opened-files.tsx';
import { OpenedLetter } from './opened-letter.tsx';
import { useOpening } from './opened-moment.ts';

interface OpenedCapsuleProps {
  capsule: Capsule;
  now: Date;
}

/** What the waiting was for: the seal opens, once, and the letter unfolds. */
export function OpenedCapsule({ capsule, now }: OpenedCapsuleProps) {
  const { isOpening, endOpening } = useOpening(capsule.id);
  const isEmpty = !capsule.personalMessage && capsule.fileInfo.length === 0;
  return (
    <div className={styles.capsule} data-opening={isOpening || undefined}>
      <div className={styles.head}>
        {isOpening ? (
          <SealOpening
            id={capsule.id}
            years={yearsOf(capsule)}
            day={capsule.dateToUnlock}
            size={160}
          />
        ) : (
          <CapsuleSeal capsule={capsule} now={now} size={160} label={null} />
        )}
        <div className={styles.words}>
          <p className={styles.wait}>{waitText(capsule, now)}</p>
          <p className={styles.media}>
            From <bdi>{capsule.createdBy}</bdi> · {mediaText(capsule)}
          </p>
        </div>
      </div>
      <div
        className={styles.contents}
        onAnimationEnd={(event) => {
          if (event.target === event.currentTarget) endOpening();
        }}
      >
        <p className={details.description} dir="auto">
          {capsule.description}
        </p>
        {capsule.personalMessage && (
          <OpenedLetter capsule={capsule} message={capsule.personalMessage} />
        )}
        {capsule.fileInfo.length > 0 && <OpenedFiles files={capsule.fileInfo} />}
        {isEmpty && <p>This capsule holds no message and no files.</p>}
        <CapsuleFacts capsule={capsule} />
      </div>
    </div>
  );
}
