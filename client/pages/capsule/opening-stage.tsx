import { useLayoutEffect, useState } from 'react';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { dayAt } from '../../../shared/day.ts';
import { yearsOf } from '../../../shared/seal-geometry.ts';
import { CapsuleSeal, SealOpening } from '../../components/capsule-seal.tsx';
import { X } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { lookAtOpened } from '../../hooks/openings.ts';
import { longDate } from '../format.ts';
import styles from './opening-stage.module.css';
import { waitedText } from './waited.ts';

interface OpeningStageProps {
  capsule: Capsule;
  now: Date;
  /** Called once it is open: the letter follows. */
  onOpened: () => void;
  onClose: () => void;
}

function showModal(dialog: HTMLDialogElement | null) {
  dialog?.showModal();
  return () => dialog?.close();
}

/** They begin something else, such as what a screen reader is told to do. */
const MODIFIERS = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Insert)$/;

/** The dark stage on which a person opens a capsule. Any other key or press ends the animation early. */
export function OpeningStage({ capsule, now, onOpened, onClose }: OpeningStageProps) {
  const [isOpening, setOpening] = useState(false);
  const { id, title, createdAt, dateToUnlock, timeZone } = capsule;

  useLayoutEffect(() => {
    if (!isOpening) return;
    const skip = (event: Event) => {
      if (event instanceof KeyboardEvent && (event.repeat || MODIFIERS.test(event.key))) return;
      event.preventDefault();
      onOpened();
    };
    window.addEventListener('keydown', skip, true);
    window.addEventListener('pointerdown', skip, true);
    return () => {
      window.removeEventListener('keydown', skip, true);
      window.removeEventListener('pointerdown', skip, true);
    };
  }, [isOpening, onOpened]);

  const open = () => {
    setOpening(true);
    void lookAtOpened(id);
  };

  return (
    <dialog
      ref={showModal}
      className={`wide gap-24 centred ${styles.stage}`}
      aria-label={title}
      data-opening={isOpening || undefined}
      onCancel={(event) => {
        event.preventDefault();
        if (!isOpening) onClose();
      }}
      onAnimationEnd={(event) => {
        if (isOpening && event.target === event.currentTarget) onOpened();
      }}
    >
      <div className={`stack gap-4 breaks ${styles.words}`}>
        <h2>{title}</h2>
        <p className="quiet">
          From <bdi>{capsule.createdBy}</bdi>
        </p>
      </div>
      <div className={styles.seal}>
        {isOpening ? (
          <SealOpening id={id} years={yearsOf(capsule)} day={dateToUnlock} size="fill" />
        ) : (
          <CapsuleSeal capsule={capsule} ready now={now} size="fill" />
        )}
      </div>
      <p className={`quiet ${styles.waited}`}>
        Sealed {longDate(createdAt)}.{' '}
        {waitedText(dayAt(new Date(createdAt), timeZone), dateToUnlock)}.
      </p>
      <p className="visually-hidden" role="status">
        {isOpening && 'Opening.'}
      </p>
      {!isOpening && (
        <>
          {/* All of the stage is the button. As the first control it has the focus. */}
          <button type="button" className={`stack copper serif ${styles.press}`} onClick={open}>
            <span className="rounded">Press to open</span>
          </button>
          <IconButton label="Close" className={`in-corner ${styles.close}`} onClick={onClose}>
            <X size={20} />
          </IconButton>
        </>
      )}
    </dialog>
  );
}
