import { createPortal } from 'react-dom';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { Button } from '../../components/button.tsx';
import { Printer } from '../../components/icon.tsx';
import { longDate, longDay } from '../words.ts';
import styles from './letter.module.css';

interface OpenedLetterProps {
  capsule: Capsule;
  message: string;
}

/** The message as a letter, and a copy of it for printing. */
export function OpenedLetter({ capsule, message }: OpenedLetterProps) {
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
