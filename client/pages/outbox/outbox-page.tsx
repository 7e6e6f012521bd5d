import { Link } from 'react-router-dom';
import { useOutbox } from '../../state/outbox.ts';
import { useMe, useOwner } from '../../state/person.ts';
import { useMinute } from '../../state/use-minute.ts';
import { useOnline } from '../../state/use-online.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ArrowLeft } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './outbox.module.css';
import { OutboxRowCard } from './outbox-row.tsx';

/** Every sealed capsule that has not reached the server yet, and what can be done with it. */
export function OutboxPage() {
  const items = useOutbox(useOwner());
  // A device that does not know whose it is yet learns it here, as on every other screen.
  useMe();
  const online = useOnline();
  const now = useMinute();
  return (
    <div className={styles.page}>
      <Link to="/dashboard" className={styles.back}>
        <ArrowLeft size={18} aria-hidden="true" />
        Back to Dashboard
      </Link>
      <h1 tabIndex={-1}>Outbox</h1>
      <p className={styles.lead}>
        Sealed capsules wait here, on this device, until they have reached the server.
      </p>
      {!items ? (
        <Spinner label="Loading your outbox..." />
      ) : items.length === 0 ? (
        <EmptyState
          sentence="Nothing is waiting. Every capsule you sealed on this device has been sent."
          action={
            <ButtonLink to="/create" variant="primary">
              Create New Capsule
            </ButtonLink>
          }
        />
      ) : (
        <ul className={styles.rows}>
          {items.map((item) => (
            <li key={item.id}>
              <OutboxRowCard item={item} online={online} now={now} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
