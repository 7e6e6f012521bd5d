import type { BlockedPerson } from '../../../shared/api/blocks.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { useBlocked } from '../../hooks/use-blocked.ts';
import { displayName, longDate } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import styles from '../profile-part.module.css';
import { ProfilePart } from '../profile-part.tsx';
import { useAction } from '../use-action.ts';
import { unblock } from './ask.tsx';

/** Whom the person has blocked, which can be undone. */
export function PeoplePage() {
  const blocked = useBlocked();
  return (
    <ProfilePart title="People" under="Safety">
      <Card title="People you've blocked">
        <Loaded of={blocked} what="whom you have blocked">
          {({ people }) =>
            people.length === 0 ? (
              <p className="quiet small">
                Nobody. You can block somebody from the menu of a capsule they sent you, or on their
                profile.
              </p>
            ) : (
              <ul className={`stack ${styles.list}`}>
                {people.map((person) => (
                  <li
                    key={person.id}
                    className={`cluster middle spread line-below gap-8-16 ${styles.row}`}
                  >
                    <BlockedRow person={person} onDone={blocked.refresh} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
    </ProfilePart>
  );
}

function BlockedRow({ person, onDone }: { person: BlockedPerson; onDone: () => Promise<void> }) {
  const name = displayName(person);
  const { busy, run } = useAction(async () => {
    if (await unblock({ id: person.id, name })) await onDone();
  }, String);
  return (
    <>
      <Avatar avatar={person.avatar} name={person.name} />
      <div className="breaks">
        <p className="strong" dir="auto">
          {name}
        </p>
        <p className="quiet small">{person.email}</p>
        <p className="quiet small">Blocked on {longDate(person.blockedAt)}</p>
      </div>
      <Button busy={busy} aria-label={`Unblock ${name}`} onClick={() => run()}>
        Unblock
      </Button>
    </>
  );
}
