import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { dayAt } from '../../../shared/day.ts';
import { Spinner } from '../../components/spinner.tsx';
import { toasts } from '../../components/toast.tsx';
import { isGoneElsewhere } from '../../db/drafts.ts';
import { type DraftRow, randomUuid } from '../../db/tables.ts';
import { leaveCaret } from '../../hooks/caret.ts';
import { type DraftHandle, useDraft } from '../../hooks/draft-form.ts';
import { askAccount, type ToldDrafts, useToldDrafts } from '../../hooks/use-account-drafts.ts';
import { ownTimeZone } from '../../hooks/use-now.ts';
import { useOutboxItem } from '../../hooks/use-outbox.ts';
import { findRecipients, useKnownPeople, useMe } from '../../hooks/use-people.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { BackLink } from '../back-link.tsx';
import { beginningOf, TO_ONESELF } from './beginnings.ts';
import styles from './create.module.css';
import { CreateForm } from './create-form.tsx';
import { SharedDraft } from './shared-draft.tsx';

export function CreatePage() {
  const userId = useUserId();
  // Drafts belong to a person, so a device that does not know who is signed in asks the server.
  useMe();
  const { id, isNew, begin } = useDraftAddress();
  const told = useToldDrafts(userId);
  const { reopenedAt = 0 } = (useLocation().state ?? {}) as { reopenedAt?: number };
  const next = useRef<DraftRow>(null);
  return (
    <div className={`stack gap-16 ${styles.page}`}>
      <BackLink to="/dashboard">Back to Dashboard</BackLink>
      <h1 tabIndex={-1}>Create New Time Capsule</h1>
      <div className={`stack gap-16 ${styles.place}`}>
        {userId !== null ? (
          <Draft
            key={`${userId} ${id} ${reopenedAt}`}
            {...{ id, isNew, told, next }}
            onBegin={begin}
          />
        ) : (
          <Spinner label="Loading your draft..." />
        )}
      </div>
    </div>
  );
}

const GONE = 'This draft was sealed or discarded in another tab.';

interface DraftProps {
  id: string;
  isNew: boolean;
  told: ToldDrafts;
  onBegin: () => void;
  /** What the form that follows opens with. */
  next: RefObject<DraftRow | null>;
}

function Draft({ id, isNew, told, onBegin, next }: DraftProps) {
  const navigate = useNavigate();
  const handle = useDraft(id, isNew, next.current);
  const item = useOutboxItem({ id });
  useSuggestions(handle, isNew);
  const { goesOnAs } = handle;
  const vanished = handle.phase === 'vanished';
  const isUnknown = handle.phase === 'gone' && item === null;
  const isAwaited = useIsAwaited(id, isUnknown, told);
  const isGone = vanished || (handle.phase === 'gone' && !isAwaited);

  useLayoutEffect(() => {
    next.current = null;
  }, [next]);
  // A sealed draft is in the outbox, or already on the server. Before the next key: it is for what follows.
  useLayoutEffect(() => {
    if (!isGone || item === undefined) return;
    if (vanished && goesOnAs === null) void tellVanished(id);
    // There stands what became of it; an empty form would say nothing.
    const to = goesOnAs === null ? '/dashboard' : `/create?draft=${goesOnAs.id}`;
    next.current = goesOnAs;
    if (goesOnAs !== null && !item) leaveCaret();
    navigate(item ? '/outbox' : to, { replace: true });
  }, [id, isGone, vanished, goesOnAs, item, navigate, next]);

  // Until its successor is there, who types goes on typing.
  if (handle.phase !== 'open' && goesOnAs === null)
    return <Spinner label="Loading your draft..." />;
  if (handle.draft.isSetAside) return <SharedDraft draft={handle.draft} />;
  return <CreateForm handle={handle} item={item} onBegin={onBegin} />;
}

/** Longer than the account takes to answer. */
const AWAITED_MS = 5_000;

/** Whether a draft that this device doesn't know may still come from the account, which is asked for it. */
function useIsAwaited(id: string, isUnknown: boolean, { drafts = [], askedAt = 0 }: ToldDrafts) {
  const [openedAt] = useState(Date.now);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isUnknown) return;
    askAccount();
    const timer = setTimeout(() => setLate(true), AWAITED_MS);
    return () => clearTimeout(timer);
  }, [isUnknown]);
  const hasCome = drafts.some((draft) => draft.id === id);
  const isAsked = navigator.onLine && !isLate && askedAt < openedAt;
  return isUnknown && (hasCome || isAsked);
}

async function tellVanished(id: string): Promise<void> {
  // What another device has done is told on every page.
  const isTold = await isGoneElsewhere(id).catch(() => false);
  if (!isTold) toasts.success(GONE);
}

/** Fills in what the address asks for: `?begin=year`, or `?to=` an address of a registered person. */
function useSuggestions({ phase, suggest }: DraftHandle, isNew: boolean) {
  const [params] = useSearchParams();
  const begin = params.get('begin');
  const to = params.get('to');
  const me = useKnownPeople().find(({ isYou }) => isYou);
  const isWanted = phase === 'open' && isNew;

  useEffect(() => {
    if (!isWanted) return;
    suggest(beginningOf(begin, dayAt(new Date(), ownTimeZone())));
    if (begin === TO_ONESELF && me) suggest({ recipients: [me] });
  }, [isWanted, begin, me, suggest]);
  useEffect(() => {
    if (!isWanted || to === null) return;
    void findRecipients(to).then(({ people }) => {
      const person = people.find(({ email }) => email.toLowerCase() === to.toLowerCase());
      if (person) suggest({ recipients: [person] });
      else toasts.failure(`We couldn't find ${to}. Please choose the recipients yourself.`);
    });
  }, [isWanted, to, suggest]);
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `?draft=ID` names the draft. Without it, the first change begins a new draft. */
function useDraftAddress() {
  const [params, setParams] = useSearchParams();
  const [fresh, setFresh] = useState(randomUuid);
  const named = params.get('draft');
  useEffect(() => {
    // This id is taken now: `/create` without a query needs a new one.
    if (named === fresh) setFresh(randomUuid());
  }, [named, fresh]);
  const isNew = named === null || !UUID.test(named);
  return {
    id: isNew ? fresh : named,
    isNew,
    /** Puts the id of a new draft into the address, so that a reload comes back to it. */
    begin: () => {
      if (isNew) setParams({ draft: fresh }, { replace: true });
    },
  };
}
