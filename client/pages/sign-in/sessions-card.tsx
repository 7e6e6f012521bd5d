import { useState } from 'react';
import type { ListedSession } from '../../../shared/api/sessions.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { toasts } from '../../components/toast.tsx';
import { useContact } from '../../hooks/use-contact.ts';
import type { useSessions } from '../../hooks/use-sessions.ts';
import { focusHeading } from '../focus.ts';
import { longDate, longDay } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import styles from '../profile-part.module.css';

/** Where the person is signed in. */
export function SessionsCard({ sessions }: { sessions: ReturnType<typeof useSessions> }) {
  const { provider } = useContact();
  const [doomed, setDoomed] = useState<ListedSession | 'others' | null>(null);

  const done = (news: string) => {
    setDoomed(null);
    toasts.success(news);
    // The pressed button has disappeared with the session.
    focusHeading();
  };

  return (
    <Card title="Where you're signed in">
      <Loaded of={sessions} what="where you're signed in">
        {(list) => (
          <div className={styles.part}>
            <ul className={styles.list}>
              {list.map((session) => (
                <li key={session.id} className={styles.row}>
                  <div>
                    <p className={styles.name}>{nameOf(session)}</p>
                    <p className={styles.facts}>{factsOf(session, provider)}</p>
                  </div>
                  {!session.isThis && (
                    <Button
                      aria-label={`Sign out ${nameOf(session)}`}
                      onClick={() => setDoomed(session)}
                    >
                      Sign out
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {list.length > 1 ? (
              <div className={styles.actions}>
                <Button onClick={() => setDoomed('others')}>Sign out everywhere else</Button>
              </div>
            ) : (
              <p className={styles.facts}>You aren't signed in anywhere else.</p>
            )}
          </div>
        )}
      </Loaded>
      {doomed === 'others' && (
        <PasswordDialog
          title="Sign out everywhere else?"
          submit="Sign out everywhere else"
          send={async ({ password }) => {
            await sessions.endOthers(password);
            done("You're signed out everywhere else.");
          }}
          onClose={() => setDoomed(null)}
        >
          <p>You stay signed in here. Every other device has to sign in again.</p>
          <p>If somebody else may know your password, choose a new one instead.</p>
        </PasswordDialog>
      )}
      {doomed !== null && doomed !== 'others' && (
        <PasswordDialog
          title={`Sign out ${nameOf(doomed)}?`}
          submit="Sign out"
          send={async ({ password }) => {
            await sessions.end(doomed.id, password);
            done(`${nameOf(doomed)} is signed out.`);
          }}
          onClose={() => setDoomed(null)}
        >
          <p>That device has to sign in again. Drafts stay on it.</p>
        </PasswordDialog>
      )}
    </Card>
  );
}

function nameOf({ device }: ListedSession): string {
  return device === '' ? 'Unknown device' : device;
}

function factsOf(session: ListedSession, provider = 'another service'): string {
  const { isThis, signedInBy, signedInAt, lastUsedOn } = session;
  const used = isThis ? 'This device' : usedText(lastUsedOn);
  const way = signedInBy === 'provider' ? provider : `a ${signedInBy}`;
  return `${used} · signed in with ${way} on ${longDate(signedInAt)}`;
}

/** Days of use are days in UTC. */
function usedText(lastUsedOn: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return lastUsedOn >= today ? 'Used today' : `Last used on ${longDay(lastUsedOn)}`;
}
