import { useEffect, useRef, useState } from 'react';
import type { ContributionLink } from '../../../shared/api/contributions.ts';
import { Spinner } from '../../components/spinner.tsx';
import { toasts } from '../../components/toast.tsx';
import { type Contribution, newContribution } from '../../db/contributions.ts';
import { useOnline } from '../../hooks/device-state.ts';
import { useAttachments } from '../../hooks/use-attachments.ts';
import { SENDS_WHEN_CLOSED } from '../../sync/scheduler.ts';
import { changeDevice } from '../change-device.ts';
import { OtherTab } from '../contents/other-tab.tsx';
import { firstName, longDay } from '../format.ts';
import styles from './add.module.css';
import { PartForm } from './part-form.tsx';
import { PartState } from './part-state.tsx';
import { purposeText, stateOf, UNKNOWN, unread } from './part-words.ts';
import { giveNow, useIsHeldUp, usePart } from './use-contributions.ts';

interface PartProps {
  id: string;
  /** As this browser has it; undefined before the first key. */
  one: Contribution | undefined;
  token: string;
  /** Nothing more can be sent by the link that led here. */
  isClosed: boolean;
  /** Null while it is not known. */
  link: ContributionLink | null;
  onBegin: () => void;
  /** It was deleted from this browser. */
  onRemoved: () => void;
  /** Begins one of somebody else, by the same link. */
  onAnother: (() => void) | undefined;
}

/** One person's contribution: being written, or what became of it. */
export function Part(props: PartProps) {
  const { id, one, token, isClosed, link, onBegin, onRemoved, onAnother } = props;
  const handle = usePart(() => newContribution(id, token, link ?? {}), one === undefined);
  const files = useAttachments(id);
  const isHeldUp = useIsHeldUp();
  const isOnline = useOnline() && !isHeldUp;
  const [isWriting, setWriting] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  // Of a personal link its own part knows who asks.
  const asked = link ?? one?.row.asked;
  const organiser = asked?.organiser || '';
  const title = asked?.title ?? '';
  const who = organiser === '' ? UNKNOWN : firstName({ name: organiser });
  const day = one?.row.asked.dateToUnlock ?? link?.dateToUnlock;
  const state = one && stateOf(one, { who, day, isOnline, sendsWhenClosed: SENDS_WHEN_CLOSED });
  const isForm = !state || state.kind === 'writing' || isWriting;
  const isOver = state?.kind === 'over';

  // The heading of what follows, when a button has replaced one by the other.
  const isReplaced = useRef(false);
  useEffect(() => {
    if (isReplaced.current) box.current?.querySelector<HTMLElement>('[data-state]')?.focus();
    if (isReplaced.current && isForm && !isWriting) toasts.success(TAKEN_BACK);
    isReplaced.current = !isForm || isWriting;
  }, [isForm, isWriting]);

  if (handle.phase === 'loading' || files === null) return <Spinner label="Loading…" />;
  return (
    <div className={`stack gap-32 sheet ${styles.sheet}`} ref={box}>
      <header className="stack gap-16">
        {(isForm || (token === '' && !isOver)) && asked?.organiser && (
          <p>
            {purposeText(asked)}{' '}
            {/* A new page: this one has another database open than the app. */}
            {isForm && <a href="/privacy#others">{unread(who)}</a>}
          </p>
        )}
        <h1 tabIndex={-1}>
          {title === '' ? (isForm ? 'Add something' : 'Your part') : isForm && 'Add to “'}
          <bdi>{title}</bdi>
          {title !== '' && isForm && '”'}
        </h1>
        {isForm && link?.words && (
          <p className="measure verbatim breaks quoted serif large" dir="auto">
            {link.words}
          </p>
        )}
        {one?.row.newSecret && !isOver && (
          <p className="quiet small">
            Whoever has the link you came by can read what stands here. Once you save a change, that
            link ends, and only this browser can.
          </p>
        )}
        {isForm && link?.until && (
          <p className="quiet small">You can add something until {longDay(link.until)}.</p>
        )}
      </header>
      {isForm && <OtherTab handle={handle} />}
      {isForm && !isOver ? (
        <PartForm
          handle={handle}
          files={files}
          link={link}
          who={who}
          isGiven={state !== undefined && state.kind !== 'writing'}
          onBegin={onBegin}
          onRemoved={onRemoved}
          onGive={async () => {
            if (!(await handle.keep())) return false;
            isReplaced.current = true;
            setWriting(false);
            return changeDevice(() => giveNow(id));
          }}
        />
      ) : (
        state &&
        one && (
          <PartState
            one={one}
            state={state}
            token={token}
            isClosed={isClosed}
            onChange={() => setWriting(true)}
            onRemoved={onRemoved}
            onAnother={onAnother}
          />
        )
      )}
    </div>
  );
}

const TAKEN_BACK = "Taken back. It's only in this browser now.";
