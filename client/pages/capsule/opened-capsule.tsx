import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { isVoiceMemo, VOICE_MEMO } from '../../../shared/file-types.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import { Pencil, Printer } from '../../components/icon.tsx';
import { rememberSenderOf } from '../../hooks/use-people.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { createFor, firstName, longDate, longDay, waitText } from '../format.ts';
import details from './capsule-dialog.module.css';
import { CapsuleFacts } from './capsule-facts.tsx';
import { OpenedFiles } from './files.tsx';
import styles from './opened-capsule.module.css';
import { OpenedRecording } from './recordings.tsx';
import { EndOfLetter, TellSender } from './tell-sender.tsx';

/* In the same file of code: what is opened is shown next. */
export { OpeningStage } from './opening-stage.tsx';

interface OpenedCapsuleProps {
  capsule: Capsule;
  now: Date;
  /** It was opened just now: the letter unfolds. */
  isFresh: boolean;
}

/** An opened capsule: the letter first, then what else is in it, then what is known about it. */
export function OpenedCapsule({ capsule, now, isFresh }: OpenedCapsuleProps) {
  const isEmpty = !capsule.personalMessage && capsule.fileInfo.length === 0;
  // Once it was answered, the answer stays to be read.
  const [asks, setAsks] = useState(false);
  if (capsule.asksToTell && !asks) setAsks(true);
  const [isRead, setRead] = useState(false);
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
      <Paper capsule={capsule} />
      <EndOfLetter onRead={() => setRead(true)} />
      {capsule.fileInfo.length > 0 && <OpenedFiles capsule={capsule} />}
      {isEmpty && <p>There's no letter and there are no files in this one.</p>}
      <Afterwards capsule={capsule} />
      {/* Comes while somebody reads, so it stands beneath whatever they may be about to press. */}
      {asks && isRead && <TellSender capsule={capsule} />}
      <dl className={details.facts}>
        <div className={details.wide}>
          <dt>Description</dt>
          <dd className={details.description} dir="auto">
            {capsule.description}
          </dd>
        </div>
      </dl>
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
          Write back to {firstName({ name: senderName })}
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

/** The sheet with what somebody has to say: the letter, and their voice beneath it. */
function Paper({ capsule }: { capsule: Capsule }) {
  const { id, personalMessage: message, fileInfo, createdBy, createdAt } = capsule;
  const memos = fileInfo.filter(({ fileName, lost }) => isVoiceMemo(fileName) && !lost);
  const isOwn = capsule.senderId === useUserId();
  if (!message && memos.length === 0) return null;
  const voice = `Listen to ${isOwn ? 'yourself' : firstName({ name: createdBy })}`;
  return (
    <section className={styles.sheet} aria-label={message ? 'Personal message' : VOICE_MEMO}>
      {message && (
        <p className={styles.letter} dir="auto">
          {message}
        </p>
      )}
      {memos.map((memo, at) => (
        <OpenedRecording
          key={memo.fileId}
          file={{ ...memo, capsuleId: id }}
          title={memos.length === 1 ? voice : `${voice}, ${at + 1} of ${memos.length}`}
        />
      ))}
      <footer className={styles.foot}>
        <p>
          {createdBy}
          <br />
          <time dateTime={createdAt}>{longDate(createdAt)}</time>
        </p>
        {message && (
          <Button
            variant="quiet"
            icon={<Printer size={18} aria-hidden="true" />}
            onClick={() => window.print()}
          >
            Print the letter
          </Button>
        )}
      </footer>
      {message &&
        createPortal(<PrintedLetter capsule={capsule} message={message} />, document.body)}
    </section>
  );
}

interface PrintedLetterProps {
  capsule: Capsule;
  message: string;
}

/** A keepsake, rendered beside the app, so that printing shows the letter alone. */
function PrintedLetter({ capsule, message }: PrintedLetterProps) {
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
