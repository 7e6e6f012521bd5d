import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { DraftRow } from '../../local/db.ts';
import { useDraft } from '../../state/draft.ts';
import { useDrafts, useOutboxItem } from '../../state/outbox.ts';
import { useMe, useOwner } from '../../state/person.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ArrowLeft } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toasts } from '../../ui/toast.tsx';
import { UnfinishedDrafts } from '../unfinished-drafts.tsx';
import styles from './create.module.css';
import { CreateForm } from './create-form.tsx';
import { useDraftAddress } from './use-draft-address.ts';

export function CreatePage() {
  const owner = useOwner();
  // Whose draft it is must be known; a device that does not know asks the server.
  const me = useMe();
  const { id, isNew, beganHere, begin } = useDraftAddress();
  const others = useDrafts(owner)?.filter((draft) => draft.id !== id) ?? [];
  return (
    <div className={styles.page}>
      <Link to="/dashboard" className={styles.back}>
        <ArrowLeft size={18} aria-hidden="true" />
        Back to Dashboard
      </Link>
      <h1 tabIndex={-1}>Create New Time Capsule</h1>
      {beganHere && <UnfinishedDrafts drafts={others} owner={owner} />}
      {owner !== null ? (
        <Draft
          key={`${owner} ${id}`}
          owner={owner}
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
  owner: string;
  id: string;
  isNew: boolean;
  /** Its other drafts stand above it from the start. */
  beganHere: boolean;
  /** Discarding one of them makes room on a full device. */
  others: readonly DraftRow[];
  onBegin: () => void;
}

function Draft({ owner, id, isNew, beganHere, others, onBegin }: DraftProps) {
  const navigate = useNavigate();
  const view = useDraft(owner, id, isNew);
  const item = useOutboxItem({ owner, id });
  const isGone = view.phase === 'gone';
  const vanished = view.phase === 'gone' && view.vanished;

  // A draft that was sealed is in the outbox, or a capsule by now.
  useEffect(() => {
    if (!isGone || item === undefined) return;
    if (vanished) toasts.success(item ? SEALED_ELSEWHERE : GONE_ELSEWHERE);
    navigate(item ? '/outbox' : '/create', { replace: true });
  }, [isGone, vanished, item, navigate]);

  if (view.phase !== 'ready') return <Spinner label="Loading your draft..." />;
  const { handle } = view;
  return (
    <>
      {handle.refusal === 'full' && !beganHere && <UnfinishedDrafts drafts={others} owner={null} />}
      <CreateForm handle={handle} item={item} onBegin={onBegin} />
    </>
  );
}
