import { useRef } from 'react';
import { Link } from 'react-router-dom';
import type { Trouble } from '../../local/engine.ts';
import { SENDS_WHEN_CLOSED } from '../../state/background-sync.ts';
import { deviceState } from '../../state/device-state.ts';
import { useExternalStore } from '../../state/external-store.ts';
import { useOutbox } from '../../state/outbox.ts';
import { useMe, useOwner } from '../../state/person.ts';
import { useUnreadable } from '../../state/unreadable.ts';
import { useMinute } from '../../state/use-minute.ts';
import { useOnline } from '../../state/use-online.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ArrowLeft } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { UnreadableList } from '../unreadable-list.tsx';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';
import styles from './outbox.module.css';
import { OutboxRowCard } from './outbox-row.tsx';

const NOT_SEEN = 'Nothing is waiting in this page. Reload to see what waits on this device.';
const EMPTY: Record<Trouble | 'none', string> = {
  none: 'Nothing is waiting.',
  newer: NOT_SEEN,
  held: NOT_SEEN,
  unavailable: 'Nothing is waiting.',
};

/** Every sealed capsule that has not reached the server yet, and what can be done with it. */
export function OutboxPage() {
  const owner = useOwner();
  const items = useOutbox(owner);
  const unreadable = useUnreadable(owner, 'capsule');
  const { trouble } = useExternalStore(deviceState);
  // A device that does not know whose it is yet learns it here, as on every other screen.
  const me = useMe();
  const online = useOnline();
  const now = useMinute();
  const page = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(page, items?.length ?? 0, 'h1');
  return (
    <div className={styles.page} ref={page}>
      <Link to="/dashboard" className={styles.back}>
        <ArrowLeft size={18} aria-hidden="true" />
        Back to Dashboard
      </Link>
      <h1 tabIndex={-1}>Outbox</h1>
      <p className={styles.lead}>
        {trouble === null
          ? 'Sealed capsules wait here, on this device, until they have reached the server.'
          : 'Sealed capsules wait in this page until they have reached the server. Please leave it open: it cannot keep them on this device.'}
      </p>
      <UnreadableList rows={unreadable} />
      {!items ? (
        owner !== null || me.error === null ? (
          <Spinner label="Loading your outbox..." />
        ) : (
          <EmptyState
            sentence="Unable to load profile information"
            action={<Button onClick={() => void me.refresh()}>Try again</Button>}
          />
        )
      ) : items.length === 0 ? (
        unreadable.length === 0 && (
          <EmptyState
            sentence={EMPTY[trouble ?? 'none']}
            action={
              <ButtonLink to="/create" variant="primary">
                Create New Capsule
              </ButtonLink>
            }
          />
        )
      ) : (
        <>
          {!SENDS_WHEN_CLOSED && (
            <p className={styles.lead}>
              Keep this screen open while they are sent: this browser sends only while the app is
              open.
            </p>
          )}
          <ul className={styles.rows}>
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
