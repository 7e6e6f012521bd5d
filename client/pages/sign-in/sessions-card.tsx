import { endOtherSessions, endSession, type ListedSession } from '../../../shared/api/sessions.ts';
import { call } from '../../api/client.ts';
import { orGone } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { useContact } from '../../hooks/use-contact.ts';
import type { Query } from '../../hooks/use-query.ts';
import { longDay, longMoment } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import { withPassword } from '../password-dialog.tsx';
import styles from '../profile-part.module.css';

/** Where the person is signed in. */
export function SessionsCard({ sessions }: { sessions: Query<ListedSession[]> }) {
  const { provider } = useContact();
  const end = (session: ListedSession) =>
    withPassword({
      title: `Sign out ${nameOf(session)}?`,
      text: <p>That device has to sign in again. Drafts stay on it.</p>,
      submit: 'Sign out',
      send: (password) =>
        sessions.after(
          orGone(call(endSession, { params: { id: session.id }, body: { password } })),
        ),
      done: `${nameOf(session)} is signed out.`,
    });
  const endOthers = () =>
    withPassword({
      title: 'Sign out everywhere else?',
      text: (
        <>
          <p>You stay signed in here. Every other device has to sign in again.</p>
          <p>If somebody else may know your password, choose a new one instead.</p>
        </>
      ),
      submit: 'Sign out everywhere else',
      send: (password) => sessions.after(call(endOtherSessions, { body: { password } })),
      done: "You're signed out everywhere else.",
    });

  return (
    <Card title="Where you're signed in">
      <Loaded of={sessions} what="where you're signed in">
        {(list) => (
          <div className="stack gap-16">
            <ul className={`stack ${styles.list}`}>
              {list.map((session) => (
                <li
                  key={session.id}
                  className={`cluster middle spread gap-8-16 line-below ${styles.row}`}
                >
                  <div className="breaks">
                    <p className="strong">{nameOf(session)}</p>
                    <p className="quiet small">{factsOf(session, provider)}</p>
                  </div>
                  {!session.isThis && (
                    <Button aria-label={`Sign out ${nameOf(session)}`} onClick={() => end(session)}>
                      Sign out
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {list.length > 1 ? (
              <div className="cluster gap-12">
                <Button onClick={endOthers}>Sign out everywhere else</Button>
              </div>
            ) : (
              <p className="quiet small">You aren't signed in anywhere else.</p>
            )}
          </div>
        )}
      </Loaded>
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
  return `${used} · signed in with ${way} on ${longMoment(signedInAt)}`;
}

/** Days of use are days in UTC. */
function usedText(lastUsedOn: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return lastUsedOn >= today ? 'Used today' : `Last used on ${longDay(lastUsedOn)}`;
}
