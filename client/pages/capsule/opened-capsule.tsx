import { useCallback, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { Button } from '../../components/button.tsx';
import { CapsuleSeal, SealOpening, yearsOf } from '../../components/capsule-seal.tsx';
import { Printer } from '../../components/icon.tsx';
import { hasSeenOpening, lookAtOpened } from '../../hooks/openings.ts';
import { longDate, longDay, waitText } from '../format.ts';
import details from './capsule-dialog.module.css';
import { CapsuleFacts } from './capsule-facts.tsx';
import { OpenedFiles } from './files.tsx';
import styles from './opened-capsule.module.css';

interface OpenedCapsuleProps {
  capsule: Capsule;
  now: Date;
}

/** An opened capsule. The first time on this device its seal opens and the letter unfolds. */
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
          <CapsuleSeal capsule={capsule} now={now} size={160} />
        )}
        <div className={styles.words}>
          <p className={styles.wait}>{waitText(capsule, now)}</p>
          <p className={styles.media}>
            From <bdi>{capsule.createdBy}</bdi>
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
        {isEmpty && <p>There's no letter and there are no files in this one.</p>}
        <CapsuleFacts capsule={capsule} />
      </div>
    </div>
  );
}

/** Keys that do not skip the animation. */
const MODIFIERS = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'];

/**
 * Whether the opening animation runs: once per capsule and device, until any key or press. The
 * calling component needs the capsule's id as its key.
 */
function useOpening(capsuleId: string) {
  const [isOpening, setOpening] = useState(() => !hasSeenOpening(capsuleId));
  const endOpening = useCallback(() => setOpening(false), []);

  useEffect(() => {
    void lookAtOpened(capsuleId);
  }, [capsuleId]);

  useEffect(() => {
    if (!isOpening) return;
    const skipByKey = (event: KeyboardEvent) => {
      if (event.repeat || MODIFIERS.includes(event.key)) return;
      // The first Escape ends the animation, the next one closes the dialog.
      if (event.key === 'Escape') event.preventDefault();
      endOpening();
    };
    window.addEventListener('keydown', skipByKey, true);
    window.addEventListener('pointerdown', endOpening, true);
    return () => {
      window.removeEventListener('keydown', skipByKey, true);
      window.removeEventListener('pointerdown', endOpening, true);
    };
  }, [isOpening, endOpening]);

  return { isOpening, endOpening };
}

interface OpenedLetterProps {
  capsule: Capsule;
  message: string;
}

/** The message as a letter, and a copy of it for printing. */
function OpenedLetter({ capsule, message }: OpenedLetterProps) {
  return (
    <section className={styles.sheet} aria-label="Personal message">
      <p className={styles.letter} dir="auto">
        {message}
      </p>
      <footer className={styles.foot}>
        <p>
          {capsule.createdBy}
          <br />
          <time dateTime={capsule.createdAt}>{longDate(capsule.createdAt)}</time>
        </p>
        <Button
          variant="quiet"
          icon={<Printer size={18} aria-hidden="true" />}
          onClick={() => window.print()}
        >
          Print the letter
        </Button>
      </footer>
      {createPortal(<PrintedLetter capsule={capsule} message={message} />, document.body)}
    </section>
  );
}

/** Rendered beside the app, so that printing shows the letter alone. */
function PrintedLetter({ capsule, message }: OpenedLetterProps) {
  return (
    <article className={styles.printed}>
      <h1 dir="auto">{capsule.title}</h1>
      <p className={styles.letter} dir="auto">
        {message}
      </p>
      <p className={styles.colophon}>
        From <bdi>{capsule.createdBy}</bdi>
        <br />
        Sealed on {longDate(capsule.createdAt)}
        <br />
        Opened on {longDay(capsule.dateToUnlock)}
      </p>
    </article>
  );
}
