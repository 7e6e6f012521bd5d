import { createPortal } from 'react-dom';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import { Pencil, Printer } from '../../components/icon.tsx';
import { rememberSenderOf } from '../../hooks/use-people.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { createFor, longDate, longDay, waitText } from '../format.ts';
import details from './capsule-dialog.module.css';
import { CapsuleFacts } from './capsule-facts.tsx';
import { OpenedFiles } from './files.tsx';
import styles from './opened-capsule.module.css';

interface OpenedCapsuleProps {
  capsule: Capsule;
  now: Date;
  /** It was opened just now: the letter unfolds. */
  isFresh: boolean;
}

/** An opened capsule: the letter first, then what else is in it, then what is known about it. */
export function OpenedCapsule({ capsule, now, isFresh }: OpenedCapsuleProps) {
  const isEmpty = !capsule.personalMessage && capsule.fileInfo.length === 0;
  return (
    <div className={styles.capsule} data-fresh={isFresh || undefined}>
      <div className={styles.head}>
        <CapsuleSeal capsule={capsule} now={now} size={72} />
        <div>
          <p className={styles.wait}>{waitText(capsule, now)}</p>
          <p className={styles.media}>
            From <bdi>{capsule.createdBy}</bdi>, sealed{' '}
            <time dateTime={capsule.createdAt}>{longDate(capsule.createdAt)}</time>
          </p>
        </div>
      </div>
      {capsule.personalMessage && (
        <OpenedLetter capsule={capsule} message={capsule.personalMessage} />
      )}
      {capsule.fileInfo.length > 0 && <OpenedFiles capsule={capsule} />}
      {isEmpty && <p>There's no letter and there are no files in this one.</p>}
      <Afterwards capsule={capsule} />
      <p className={details.description} dir="auto">
        {capsule.description}
      </p>
      <CapsuleFacts capsule={capsule} />
    </div>
  );
}

/** What a reader may want to do now. */
function Afterwards({ capsule }: { capsule: Capsule }) {
  const userId = useUserId();
  const { type, senderId, senderName, senderEmail, recipients = [] } = capsule;
  const isReceived = type === 'received' || recipients.some((one) => one.userId === userId);
  if (!isReceived) return null;
  const isOwn = senderId === userId;
  // Nobody can write back to an account that is gone.
  const reply = senderId && !isOwn ? createFor(senderEmail) : null;
  return (
    <p className={styles.afterwards}>
      {reply && (
        <ButtonLink
          to={reply}
          icon={<Pencil size={18} aria-hidden="true" />}
          onClick={() => rememberSenderOf(capsule)}
        >
          Write back to {senderName.split(' ')[0]}
        </ButtonLink>
      )}
      {(reply || isOwn) && (
        <ButtonLink
          to={reply ? `${reply}&begin=answer` : '/create?begin=year'}
          onClick={() => rememberSenderOf(capsule)}
        >
          Seal an answer for next year
        </ButtonLink>
      )}
    </p>
  );
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

/** A keepsake, rendered beside the app, so that printing shows the letter alone. */
function PrintedLetter({ capsule, message }: OpenedLetterProps) {
  return (
    <article className={styles.printed}>
      <CapsuleSeal capsule={capsule} now={new Date(capsule.unlockAt)} size={72} />
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
