import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ArrowLeft } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { toasts } from '../../components/toast.tsx';
import { type DraftRow, randomUuid } from '../../db/tables.ts';
import { useDraft } from '../../hooks/use-draft.ts';
import { useDrafts, useOutboxItem } from '../../hooks/use-outbox.ts';
import { useMe } from '../../hooks/use-people.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { UnfinishedDrafts } from '../unfinished-drafts.tsx';
import styles from './create.module.css';
import { CreateForm } from './create-form.tsx';

export function CreatePage() {
  const userId = useUserId();
  // Whose draft it is must be known; a device that does not know asks the server.
  const me = useMe();
  const { id, isNew, beganHere, begin } = useDraftAddress();
  const others = useDrafts(userId)?.filter((draft) => draft.id !== id) ?? [];
  return (
    <div className={styles.page}>
      <Link to="/dashboard" className={styles.back}>
        <ArrowLeft size={18} aria-hidden="true" />
        Back to Dashboard
      </Link>
      <h1 tabIndex={-1}>Create New Time Capsule</h1>
      {beganHere && <UnfinishedDrafts drafts={others} />}
      {userId !== null ? (
        <Draft
          key={`${userId} ${id}`}
          id={id}
          isNew={isNew}
          beganHere={beganHere}
          others={others}
          onBegin={begin}
        />
      ) : me.error === null ? (
        <Spinner label="Loading your draft..." />
      ) : (
        <EmptyState
          sentence="Unable to load profile information"
          action={<Button onClick={() => void me.refresh()}>Try again</Button>}
        />
      )}
    </div>
  );
}

const SEALED_ELSEWHERE = 'This capsule was sealed in another tab.';
const GONE_ELSEWHERE = 'This draft was sealed or discarded in another tab.';

interface DraftProps {
  id: string;
  isNew: boolean;
  /** Its other drafts stand above it from the start. */
  beganHere: boolean;
  /** Discarding one of them makes room on a full device. */
  others: readonly DraftRow[];
  onBegin: () => void;
}

function Draft({ id, isNew, beganHere, others, onBegin }: DraftProps) {
  const navigate = useNavigate();
  const handle = useDraft(id, isNew);
  const item = useOutboxItem({ id });
  const vanished = handle.phase === 'vanished';
  const isGone = vanished || handle.phase === 'gone';

  // A draft that was sealed is in the outbox, or a capsule by now.
  useEffect(() => {
    if (!isGone || item === undefined) return;
    if (vanished) toasts.success(item ? SEALED_ELSEWHERE : GONE_ELSEWHERE);
    navigate(item ? '/outbox' : '/create', { replace: true });
  }, [isGone, vanished, item, navigate]);

  if (handle.phase !== 'open') return <Spinner label="Loading your draft..." />;
  return (
    <>
      {handle.refusal === 'full' && !beganHere && <UnfinishedDrafts drafts={others} />}
      <CreateForm handle={handle} item={item} onBegin={onBegin} />
    </>
  );
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** `?draft=ID` says which draft is written; without it a new one begins with the first change. */
function useDraftAddress() {
  const [params, setParams] = useSearchParams();
  const [fresh, setFresh] = useState(randomUuid);
  const named = params.get('draft');
  useEffect(() => {
    // Begun: whoever leaves the query out again gets another one.
    if (named === fresh) setFresh(randomUuid());
  }, [named, fresh]);
  const [begun, setBegun] = useState<string | null>(null);
  const isNew = named === null || !UUID.test(named);
  return {
    id: isNew ? fresh : named,
    isNew,
    /** It began in this visit: what stood above it at first stays there while it is written. */
    beganHere: isNew || named === begun,
    /** The new draft has begun: a reload comes back to it. */
    begin: () => {
      if (!isNew) return;
      setBegun(fresh);
      setParams({ draft: fresh }, { replace: true });
    },
  };
}
