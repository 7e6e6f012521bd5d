import { Suspense, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { newCapsuleSchema } from '../../../shared/api/capsules.ts';
import { ERRORS } from '../../../shared/errors.ts';
import type { DraftFields } from '../../local/db.ts';
import { type DraftHandle, useDraft } from '../../state/draft.ts';
import { useExternalStore } from '../../state/external-store.ts';
import { useMe, useOwner } from '../../state/person.ts';
import {
  clearFieldErrors,
  dismissSealingError,
  refuseSealing,
  seal,
  sealing,
  startSealing,
} from '../../state/sealing.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ArrowLeft } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toasts } from '../../ui/toast.tsx';
import { lazyPart } from '../lazy-part.ts';
import { ContentsCard } from './contents-card.tsx';
import styles from './create.module.css';
import { DetailsCard } from './details-card.tsx';
import { capsuleOf, errorsOf, isComplete } from './new-capsule.ts';
import { SummaryCard } from './summary-card.tsx';

const RecipientDialog = lazyPart(
  async () => (await import('./recipient-dialog.tsx')).RecipientDialog,
);

export function CreatePage() {
  const owner = useOwner();
  // Whose draft it is must be known; a device that does not know asks the server.
  const me = useMe();
  const handle = useDraft(owner);
  useEffect(() => {
    if (owner !== null) startSealing(owner);
  }, [owner]);
  return (
    <div className={styles.page}>
      <Link to="/dashboard" className={styles.back}>
        <ArrowLeft size={18} aria-hidden="true" />
        Back to Dashboard
      </Link>
      <h1 tabIndex={-1}>Create New Time Capsule</h1>
      {owner !== null && handle ? (
        <CreateForm owner={owner} handle={handle} />
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

function CreateForm({ owner, handle }: { owner: string; handle: DraftHandle }) {
  const navigate = useNavigate();
  const { percent, error, fieldErrors, sealedKey } = useExternalStore(sealing);
  const [choosing, setChoosing] = useState(false);
  const banner = useRef<HTMLDivElement>(null);
  const { draft } = handle;
  const isSending = percent !== null;
  const isSealed = sealedKey === draft.id;

  useWarningBeforeLeaving(isSending);
  useEffect(() => {
    if (isSealed) navigate('/dashboard');
  }, [isSealed, navigate]);
  useEffect(() => {
    if (error !== null) banner.current?.scrollIntoView({ block: 'center' });
  }, [error]);

  const change = (fields: Partial<DraftFields>) => {
    clearFieldErrors(Object.keys(fields).map((name) => ERROR_FIELDS[name] ?? name));
    handle.change(fields);
  };
  const submit = async () => {
    const checked = newCapsuleSchema.safeParse(capsuleOf(draft.fields));
    if (!checked.success) {
      refuseSealing(ERRORS.VALIDATION_FAILED[1], errorsOf(checked.error));
      return;
    }
    handle.flush();
    if (await seal(draft)) toasts.success('Time capsule created successfully!');
  };

  return (
    <>
      <div ref={banner} className={styles.banner}>
        <Banner message={error} onDismiss={dismissSealingError} />
      </div>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete(draft.fields) && !isSending) void submit();
        }}
      >
        <div className={styles.left} inert={isSending}>
          <DetailsCard
            fields={draft.fields}
            errors={fieldErrors}
            change={change}
            onChoose={() => setChoosing(true)}
          />
          <ContentsCard
            owner={owner}
            message={draft.fields.personalMessage}
            errors={fieldErrors}
            onMessage={(personalMessage) => change({ personalMessage })}
            onFiles={() => handle.change({})}
          />
        </div>
        <SummaryCard handle={handle} />
      </form>
      {choosing && (
        <Suspense fallback={null}>
          <RecipientDialog
            chosen={draft.fields.recipients}
            onCancel={() => setChoosing(false)}
            onConfirm={(recipients) => {
              change({ recipients });
              setChoosing(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** What the server calls the fields that the draft names otherwise. */
const ERROR_FIELDS: Record<string, string> = { recipients: 'recipientEmails' };

/** Closing the tab would cut the upload; going elsewhere in the app does not. */
function useWarningBeforeLeaving(isSending: boolean) {
  useEffect(() => {
    if (!isSending) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isSending]);
}
