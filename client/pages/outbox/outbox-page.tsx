import { ButtonLink } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useOnline } from '../../hooks/device-state.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useOutbox } from '../../hooks/use-outbox.ts';
import { useMe } from '../../hooks/use-people.ts';
import { useUserId } from '../../hooks/use-user-id.ts';
import { SENDS_WHEN_CLOSED } from '../../sync/scheduler.ts';
import { BackLink } from '../back-link.tsx';
import { OutboxRowCard } from './outbox-row.tsx';

/* In the same file of code: both are seldom looked at. */
export { BinPage } from '../bin/bin-page.tsx';

/** All capsules waiting to be sent, with their actions. */
export function OutboxPage() {
  const userId = useUserId();
  const items = useOutbox(userId);
  // A device that does not know who is signed in asks the server.
  useMe();
  const online = useOnline();
  const now = useNow();
  return (
    <div className="stack gap-16 roomy">
      <BackLink to="/dashboard">Back to Dashboard</BackLink>
      <h1 tabIndex={-1}>Outbox</h1>
      <p className="quiet">Capsules wait here, on this device, until they can be sent.</p>
      {!items ? (
        <Spinner label="Loading your outbox..." />
      ) : items.length === 0 ? (
        <EmptyState
          sentence="Nothing is waiting."
          action={
            <ButtonLink to="/create" variant="primary">
              Create New Capsule
            </ButtonLink>
          }
        />
      ) : (
        <>
          {!SENDS_WHEN_CLOSED && (
            <p className="quiet">
              Keep this screen open while we send them. This browser can send only while the app is
              open.
            </p>
          )}
          <ul className="stack gap-16">
            {items.map((item) => (
              <li key={item.id}>
                <OutboxRowCard item={item} online={online} now={now} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
