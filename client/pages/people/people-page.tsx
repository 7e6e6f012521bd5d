import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { BlockedPerson } from '../../../shared/api/blocks.ts';
import { isConnectionError } from '../../api/errors.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ArrowLeft } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useBlocked } from '../../hooks/use-blocked.ts';
import back from '../back-to-dashboard.module.css';
import { useFocusAfterRemoval } from '../focus.ts';
import { displayName, longDate } from '../format.ts';
import { unblock } from './blocking.ts';
import styles from './people.module.css';

/* In the same file of code: few people ever block or report somebody. */
export { BlockDialog } from './block-dialog.tsx';
export { ReportDialog } from './report-dialog.tsx';

/** Whom the person has blocked, which can be undone. */
export function PeoplePage() {
  const { data, error, refresh } = useBlocked();
  const page = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(page, data?.people.length ?? 0, 'h1');
  return (
    <div className={styles.page} ref={page}>
      <Link to="/profile" className={back.back}>
        <ArrowLeft size={18} aria-hidden="true" />
        Back to Profile
      </Link>
      <h1 tabIndex={-1}>People</h1>
      {data ? (
        <Card title="People you've blocked">
          {data.people.length === 0 ? (
            <p className={styles.lead}>
              Nobody. You can block somebody from the menu of a capsule they sent you, or on their
              profile.
            </p>
          ) : (
            <ul className={styles.list}>
              {data.people.map((person) => (
                <li key={person.id} className={styles.row}>
                  <BlockedRow person={person} onDone={refresh} />
                </li>
              ))}
            </ul>
          )}
        </Card>
      ) : error !== null ? (
        <EmptyState
          sentence={
            isConnectionError(error)
              ? 'You need a connection to see whom you have blocked.'
              : "We couldn't load whom you have blocked."
          }
          action={<Button onClick={() => void refresh()}>Try again</Button>}
        />
      ) : (
        <Spinner label="Loading people..." />
      )}
    </div>
  );
}

interface BlockedRowProps {
  person: BlockedPerson;
  onDone: () => Promise<void>;
}

function BlockedRow({ person, onDone }: BlockedRowProps) {
  const [busy, setBusy] = useState(false);
  const name = displayName(person);
  const undo = async () => {
    setBusy(true);
    if (await unblock({ id: person.id, name })) await onDone();
    setBusy(false);
  };
  return (
    <>
      <Avatar avatar={person.avatar} name={person.name} />
      <div className={styles.words}>
        <p className={styles.name} dir="auto">
          {name}
        </p>
        <p>{person.email}</p>
        <p>Blocked on {longDate(person.blockedAt)}</p>
      </div>
      <Button busy={busy} aria-label={`Unblock ${name}`} onClick={() => void undo()}>
        Unblock
      </Button>
    </>
  );
}
