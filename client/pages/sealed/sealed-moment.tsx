import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Capsule } from '../../../shared/api/capsules.ts';
import type { Recipient } from '../../../shared/api/user.ts';
import { placeName } from '../../../shared/capsule-time.ts';
import { minutesOf } from '../../../shared/day.ts';
import { yearsOf } from '../../../shared/seal-geometry.ts';
import { Button } from '../../components/button.tsx';
import { Send } from '../../components/icon.tsx';
import { SealClosing } from '../../components/seal-closing.tsx';
import type { Delivered } from '../../sync/locks.ts';
import { AddToCalendar } from '../add-to-calendar.tsx';
import { firstName, listText, longDay } from '../format.ts';
import { CREATE_YOUR_ACCOUNT, tell } from '../tell.ts';
import styles from './sealed-moment.module.css';

export interface SealedMomentProps {
  capsule: Delivered;
  onDone: () => void;
}

/** Shown once the server has a capsule: its seal closes, then says until when, and rests. */
export function SealedMoment({ capsule, onDone }: SealedMomentProps) {
  const isShown = useIsGoodMoment();
  return isShown && <Stage capsule={capsule} onDone={onDone} />;
}

const LOOK_AGAIN_MS = 500;
/** Someone is looking elsewhere, writes, or answers a question: a capsule that arrives late waits for its moment. */
const BUSY = 'dialog[open], nav[data-open="true"], :is(input, textarea, select):focus';

/** True for good, once the person is on this page, of all that are open, and not in the middle of something. */
function useIsGoodMoment(): boolean {
  const [isGood, setGood] = useState(false);
  useEffect(() => {
    if (isGood) return;
    const look = () => {
      if (document.hasFocus()) setGood(document.querySelector(BUSY) === null);
    };
    look();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isGood]);
  return isGood;
}

/** How long the seal takes to close, as in the styles. */
const CLOSING_MS = 1_600;

function Stage({ capsule, onDone }: SealedMomentProps) {
  const { id, capsuleId, dateToUnlock, timeZone, recipients, invitations = [] } = capsule;
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { rests, rest } = useClosing();
  const toNewCard = useNewCard(capsuleId);
  const done = () => {
    onDone();
    toNewCard();
  };
  useTakesThePage(heading);
  useKeys(rests ? done : rest, rests);

  const added = addedText(capsule.added);
  const hasLink = ({ email }: Recipient) => invitations.some((invited) => invited.email === email);
  const others = recipients.filter((person) => !person.isYou && !hasLink(person));
  const url = `${location.origin}/dashboard${capsuleId === null ? '' : `?capsule=${capsuleId}`}`;
  const now = new Date();
  const unlockAt = `${dateToUnlock}T00:00:00Z`;
  return createPortal(
    // Not modal: the message that the capsule was created is spoken beside it.
    <dialog
      open
      className={`stack gap-24 wide ${styles.stage}`}
      aria-modal="true"
      aria-labelledby={titleId}
      data-moment
      data-rests={rests || undefined}
      onClickCapture={rest}
    >
      <div className={styles.seal}>
        <SealClosing
          id={capsuleId ?? id}
          years={yearsOf({ createdAt: now.toISOString(), unlockAt })}
          day={dateToUnlock}
        />
      </div>
      <h2 id={titleId} className={styles.words} tabIndex={-1} ref={heading}>
        Sealed until <time dateTime={dateToUnlock}>{longDay(dateToUnlock)}.</time>{' '}
        <span className="quiet">See you then.</span>
      </h2>
      {added !== '' && <p className={`quiet ${styles.note}`}>{added}</p>}
      {minutesOf(timeZone) !== null && (
        <p className={`quiet ${styles.note}`}>
          This site doesn't know your time zone yet. Your capsule opens at the start of the day in{' '}
          {placeName(timeZone)}.
        </p>
      )}
      {/* Pressed while the seal still draws, they only end that. */}
      <div className={`cluster gap-12 mid-row breaks ${styles.actions}`} inert={!rests}>
        <AddToCalendar capsule={{ id: capsuleId ?? id, dateToUnlock, timeZone }} url={url} />
        {others.length > 0 && (
          <Button
            icon={Send}
            onClick={() =>
              void tell(
                `I've sealed a time capsule for you. It opens on ${longDay(dateToUnlock)}.`,
                url,
              )
            }
          >
            {'share' in navigator ? 'Tell' : 'Copy a link for'}{' '}
            {others.length > 2 ? 'them' : others.map(firstName).join(' and ')}
          </Button>
        )}
        {invitations.map((invited) => (
          <Button
            key={invited.link}
            icon={Send}
            onClick={() => void tell(CREATE_YOUR_ACCOUNT, invited.link)}
          >
            {'share' in navigator
              ? `Send ${firstName(invited)} the invitation`
              : `Copy the invitation link for ${firstName(invited)}`}
          </Button>
        ))}
        <Button variant="primary" onClick={done}>
          Done
        </Button>
      </div>
    </dialog>,
    document.body,
  );
}

/** 'With a letter from Grandpa Karl'; empty where nobody else is in it. */
function addedText(added: Capsule['added'] = []): string {
  if (added.length === 0) return '';
  const isLetters = added.every(({ hasLetter }) => hasLetter);
  const letters = added.length === 1 ? 'a letter' : 'letters';
  return `With ${isLetters ? letters : 'something'} from ${listText(added.map(({ name }) => name))}`;
}

/** Whether the seal has closed, by itself or because the person would not wait. */
function useClosing() {
  const [rests, setRests] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches);
  useEffect(() => {
    const timer = setTimeout(() => setRests(true), CLOSING_MS);
    return () => clearTimeout(timer);
  }, []);
  return { rests, rest: () => setRests(true) };
}

/** The page behind can be neither read nor pressed; the focus goes to the heading. */
function useTakesThePage(heading: RefObject<HTMLElement | null>): void {
  // Before the focus is lost, and looks for a place in that page.
  useLayoutEffect(() => {
    const shell = document.getElementById('main')?.parentElement;
    if (shell) shell.inert = true;
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (shell) shell.inert = false;
    };
  }, [heading]);
}

/** Escape goes on; while the seal closes, so does Enter. */
function useKeys(goOn: () => void, rests: boolean): void {
  const latest = useRef(goOn);
  useEffect(() => {
    latest.current = goOn;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' && (rests || event.key !== 'Enter')) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [rests]);
}

/** Brings the card of the new capsule into view, with the focus, if the person is on the dashboard. */
function useNewCard(capsuleId: string | null) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return () => {
    if (pathname !== '/dashboard' || capsuleId === null) return;
    const card = () => document.querySelector<HTMLElement>(`[data-capsule="${capsuleId}"] button`);
    // The other list, a search or a later page may be shown.
    if (!card()?.checkVisibility()) navigate('/dashboard?tab=my-capsules', { replace: true });
    requestAnimationFrame(() => {
      card()?.focus({ preventScroll: true });
      card()?.scrollIntoView({ block: 'nearest' });
    });
  };
}
