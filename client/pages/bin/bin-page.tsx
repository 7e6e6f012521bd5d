import { type BinnedCapsule, listBin } from '../../../shared/api/bin.ts';
import { deleteCapsule } from '../../../shared/api/capsules.ts';
import { BIN_DAYS } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { orGone } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { toasts } from '../../components/toast.tsx';
import { bringBack } from '../../hooks/use-capsules.ts';
import { retryRefusedNow } from '../../hooks/use-outbox.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { BackLink } from '../back-link.tsx';
import { changeFailure } from '../change-failure.ts';
import { listText, longDay, longMoment } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import { withPassword } from '../password-dialog.tsx';
import { useAction } from '../use-action.ts';

/** Deleted capsules, which their creator can bring back or delete for good. */
export function BinPage() {
  const bin = useQuery('bin', (signal) => call(listBin, { signal }));

  const onRestore = async ({ id, title }: BinnedCapsule) => {
    try {
      await bin.after(bringBack(id));
      toasts.success(`“${title}” is back, just as it was.`);
    } catch (failure) {
      toasts.failure(changeFailure(failure, `We couldn't bring “${title}” back.`));
      void bin.refresh();
    }
  };
  const onDelete = ({ id, title }: BinnedCapsule) =>
    void withPassword({
      title: `Delete “${title}” for good?`,
      text: <p>Its message and files are deleted right away. Nobody can bring them back.</p>,
      submit: 'Delete now',
      variant: 'danger',
      send: async (password) => {
        const request = { params: { id }, query: { now: 'true' as const }, body: { password } };
        await bin.after(orGone(call(deleteCapsule, request), 'CAPSULE_NOT_FOUND'));
        // A capsule that found the person's storage full may fit now; if not, it is tried again later.
        void retryRefusedNow().catch(() => undefined);
      },
      done: `“${title}” is gone for good.`,
    });

  return (
    <div className="stack gap-16 roomy">
      <BackLink to="/dashboard">Back to Dashboard</BackLink>
      <h1 tabIndex={-1}>Bin</h1>
      <p className="quiet">
        Deleted capsules stay here for {BIN_DAYS} days. Nobody sees them, not even the people
        they're for. They still count towards your storage.
      </p>
      <Loaded of={bin} what="your bin">
        {({ capsules, totalItems }) =>
          capsules.length === 0 ? (
            <EmptyState sentence="Your bin is empty." />
          ) : (
            <>
              <ul className="stack gap-16">
                {capsules.map((capsule) => (
                  <li key={capsule.id}>
                    <BinRow
                      capsule={capsule}
                      onRestore={() => onRestore(capsule)}
                      onDelete={() => onDelete(capsule)}
                    />
                  </li>
                ))}
              </ul>
              {totalItems > capsules.length && (
                <p className="quiet">
                  {totalItems - capsules.length} more will show as you bring back or delete these.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

interface BinRowProps {
  capsule: BinnedCapsule;
  onRestore: () => Promise<void>;
  onDelete: () => void;
}

function BinRow({ capsule, onRestore, onDelete }: BinRowProps) {
  const { title, recipients, dateToUnlock, goneAt } = capsule;
  const { busy, run } = useAction(onRestore, String);
  return (
    <article className="stack gap-8 sheet breaks" aria-label={title}>
      <h2 className="large" dir="auto">
        {title}
      </h2>
      <p className="quiet small">
        Unlock day <time dateTime={dateToUnlock}>{longDay(dateToUnlock)}</time>
        {recipients.length > 0 && `, for ${listText(recipients.map(nameOf))}`}
      </p>
      <p>
        Here until <time dateTime={goneAt}>{longMoment(goneAt)}</time>, then gone for good.
      </p>
      <div className="cluster gap-8">
        <Button busy={busy} onClick={() => run()}>
          Bring back
        </Button>
        <Button variant="quiet" className="at-end red" disabled={busy} onClick={onDelete}>
          Delete now
        </Button>
      </div>
    </article>
  );
}

function nameOf({ name, isOwner }: BinnedCapsule['recipients'][number]): string {
  return isOwner ? 'yourself' : name;
}
