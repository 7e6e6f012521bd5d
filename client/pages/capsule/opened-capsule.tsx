import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { isVoiceMemo, VOICE_MEMO } from '../../../shared/file-types.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import { Pencil, Printer } from '../../components/icon.tsx';
import { rememberSenderOf } from '../../hooks/use-people.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { createFor, firstName, listText, longDate, longDay, waitText } from '../format.ts';
import details from './capsule-dialog.module.css';
import { CapsuleFacts } from './capsule-facts.tsx';
import { AllFiles, OpenedFiles } from './files.tsx';
import { InTurn, Others } from './in-turn.tsx';
import styles from './opened-capsule.module.css';
import { lacksParts, type Part, partsOf } from './parts.ts';
import { OpenedRecording } from './recordings.tsx';
import { useSaving } from './saving.ts';
import { TellSender } from './tell-sender.tsx';

interface OpenedCapsuleProps {
  capsule: Capsule;
  now: Date;
  /** It was opened just now: the letter unfolds. */
  isFresh: boolean;
}

/** An opened capsule: the letters first, each with its files, then what is known about it. */
export function OpenedCapsule({ capsule, now, isFresh }: OpenedCapsuleProps) {
  const saving = useSaving();
  const parts = partsOf(capsule);
  const [sender, ...others] = parts;
  const isByMany = others.length > 0;
  const letters = parts.filter(({ letter }) => letter !== '');
  const isEmpty = letters.length === 0 && capsule.fileInfo.length === 0 && !lacksParts(capsule);
  // Once it was answered, the answer stays to be read.
  const [asks, setAsks] = useState(false);
  if (capsule.asksToTell && !asks) setAsks(true);
  const isOwn = capsule.senderId === useUserId();
  const contents = (part: Part) => (
    <>
      <Paper
        capsule={capsule}
        part={part}
        isOwn={isOwn && part === sender}
        isByMany={isByMany}
        printed={part === letters.at(-1) ? letters : null}
      />
      <OpenedFiles capsuleId={capsule.id} files={part.files} saving={saving} isWithin={isByMany} />
    </>
  );
  return (
    <div className={`column gap-24 ${styles.capsule}`} data-fresh={isFresh || undefined}>
      <div className="row middle gap-16">
        <CapsuleSeal capsule={capsule} now={now} size={72} />
        <div>
          <p className="verdigris serif larger">{waitText(capsule, now)}</p>
          <p className="quiet small breaks">
            {lettersText(letters.length, parts.length)} <bdi>{fromText(parts)}</bdi>, sealed{' '}
            <time className="unbroken" dateTime={capsule.createdAt}>
              {longDate(capsule.createdAt)}
            </time>
          </p>
        </div>
      </div>
      {isByMany
        ? parts.map((part, at) => (
            <InTurn key={part.id} part={part} place={at + 1} of={parts.length}>
              {contents(part)}
              {/* The only other one follows at once. */}
              {part === sender && others.length > 1 && <Others parts={others} />}
            </InTurn>
          ))
        : contents(sender)}
      <AllFiles capsuleId={capsule.id} files={capsule.fileInfo} saving={saving} />
      {lacksParts(capsule) && (
        <p role="status">
          Others have added to this capsule. Their part comes once this device is online.
        </p>
      )}
      {isEmpty && <p>There's no letter and there are no files in this one.</p>}
      <Afterwards capsule={capsule} />
      {asks && <TellSender capsule={capsule} />}
      <dl className={`stack gap-16 ${details.facts}`}>
        <div className="across">
          <dt>Description</dt>
          <dd className={`breaks ${details.description}`} dir="auto">
            {capsule.description}
          </dd>
        </div>
      </dl>
      <CapsuleFacts capsule={capsule} />
    </div>
  );
}

/** '5 letters, from'; of some who gave only photos, '3 letters and more, from'. */
function lettersText(letters: number, parts: number): string {
  if (letters < 2) return 'From';
  return `${letters} letters${letters < parts ? ' and more' : ''}, from`;
}

/** 'Grace, Tom and Mia', 'Grace and 20 others' */
function fromText([sender, ...others]: readonly [Part, ...Part[]]): string {
  const names =
    others.length > NAMED_MAX ? [`${others.length} others`] : others.map(({ name }) => name);
  return listText([sender.name, ...names]);
}

const NAMED_MAX = 5;

/** What a reader may want to do now. */
function Afterwards({ capsule }: { capsule: Capsule }) {
  const userId = useUserId();
  const { type, senderId, senderName, senderEmail, recipients = [] } = capsule;
  const isReceived = type === 'received' || recipients.some((one) => one.userId === userId);
  if (!isReceived) return null;
  const isOwn = senderId === userId;
  // Nobody can write back to an account that is gone.
  const reply = senderId && !isOwn ? createFor(senderEmail) : null;
  if (!reply && !isOwn) return null;
  return (
    <p className="cluster gap-8">
      <ButtonLink
        to={reply ?? '/create?begin=year'}
        icon={Pencil}
        onClick={() => rememberSenderOf(capsule)}
      >
        {reply
          ? `Write back to ${firstName({ name: senderName })}`
          : 'Seal an answer for next year'}
      </ButtonLink>
    </p>
  );
}

interface PaperProps {
  capsule: Capsule;
  part: Part;
  /** It is read by whoever wrote it. */
  isOwn: boolean;
  /** When it was sealed stands above them all. */
  isByMany: boolean;
  /** The letters that are printed from here; null where it is done from another one. */
  printed: readonly Part[] | null;
}

/** The sheet with what somebody has to say: the letter, and their voice beneath it. */
function Paper({ capsule, part, isOwn, isByMany, printed }: PaperProps) {
  const { name, letter, files } = part;
  const memos = files.filter(({ fileName, lost }) => isVoiceMemo(fileName) && !lost);
  if (letter === '' && memos.length === 0) return null;
  const voice = `Listen to ${isOwn ? 'yourself' : firstName(part)}`;
  const isSender = part.id === capsule.id;
  const label = letter ? 'Personal message' : VOICE_MEMO;
  return (
    // What others have added stands under their names.
    <section className={`lines ${styles.sheet}`} aria-label={isSender ? label : undefined}>
      {letter && (
        <p className={`measure serif large breaks verbatim ${styles.letter}`} dir="auto">
          {letter}
        </p>
      )}
      {memos.map((memo, at) => (
        <OpenedRecording
          key={memo.fileId}
          file={memo}
          title={memos.length === 1 ? voice : `${voice}, ${at + 1} of ${memos.length}`}
        />
      ))}
      <footer className={`cluster gap-12 spread ${styles.foot}`}>
        <p className="quiet small breaks">
          <bdi>{name}</bdi>
          {!isByMany && (
            <>
              <br />
              <time dateTime={capsule.createdAt}>{longDate(capsule.createdAt)}</time>
            </>
          )}
        </p>
        {printed && (
          <Button variant="quiet" icon={Printer} onClick={() => window.print()}>
            {printed.length === 1 ? 'Print the letter' : 'Print the letters'}
          </Button>
        )}
      </footer>
      {printed && createPortal(<Printed capsule={capsule} letters={printed} />, document.body)}
    </section>
  );
}

/** A keepsake, rendered beside the app, so that printing shows the letters alone. */
function Printed({ capsule, letters }: { capsule: Capsule; letters: readonly Part[] }) {
  const isByMany = letters.some(({ id }) => id !== capsule.id);
  return (
    <article className={styles.printed}>
      <CapsuleSeal capsule={capsule} now={new Date(capsule.unlockAt)} size={72} />
      <h1 dir="auto">{capsule.title}</h1>
      {letters.map(({ id, name, letter }) => (
        <div key={id} className={styles.printedPart}>
          {isByMany && <h2 dir="auto">{name}</h2>}
          <p className={`measure serif large breaks verbatim ${styles.letter}`} dir="auto">
            {letter}
          </p>
        </div>
      ))}
      <p className={styles.colophon}>
        From <bdi>{capsule.createdBy}</bdi>
        <br />
        Sealed on {longDate(capsule.createdAt)}
        <br />
        Unlocked on {longDay(capsule.dateToUnlock)}
      </p>
    </article>
  );
}
