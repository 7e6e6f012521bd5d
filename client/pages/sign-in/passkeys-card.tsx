import type { Passkey } from '../../../shared/api/passkeys.ts';
import { PASSWORD_WAITS_DAYS, UNDO_DAYS } from '../../../shared/limits.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Switch } from '../../components/switch.tsx';
import { canUsePasskeys } from '../../hooks/can-use-passkeys.ts';
import type { usePasskeys } from '../../hooks/use-passkeys.ts';
import { longDate, longDay } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import { withPassword } from '../password-dialog.tsx';
import styles from '../profile-part.module.css';

/** What signs the person in without a password. */
export function PasskeysCard({ book }: { book: ReturnType<typeof usePasskeys> }) {
  const asks = book.data?.asksOnNewDevices ?? false;
  const isLast = book.data?.passkeys.length === 1;

  const add = () =>
    withPassword({
      title: 'Add a passkey?',
      text: (
        <p>
          Your browser asks where to save it. We email all of your addresses, with a link that
          removes it for {UNDO_DAYS} days.
        </p>
      ),
      submit: 'Add a passkey',
      send: (password) => book.add(password),
      done: 'Your passkey is added.',
    });
  const choose = () =>
    withPassword({
      title: asks ? 'Stop asking for a passkey?' : 'Ask for a passkey on new devices?',
      text: asks ? STOP_ASKING : ASK,
      submit: asks ? 'Stop asking' : 'Ask for a passkey',
      variant: asks ? 'danger' : 'primary',
      send: (password) => book.choose(!asks, password),
      done: asks ? TURNED_OFF : 'New devices are asked for a passkey.',
    });
  const remove = (passkey: Passkey) =>
    withPassword({
      title: 'Remove this passkey?',
      text: (
        <>
          <p>
            {nameOf(passkey)} won't sign you in any more. Your device may go on offering it until
            you delete it there.
          </p>
          {asks && isLast && (
            <p>It's your last one, so new devices won't be asked for a passkey.</p>
          )}
        </>
      ),
      submit: 'Remove it',
      variant: 'danger',
      send: (password) => book.remove(passkey.id, password),
      done: 'The passkey is removed.',
    });

  return (
    <Card title="Passkeys">
      <Loaded of={book} what="your passkeys">
        {({ passkeys }) => (
          <div className="stack gap-16">
            <p>
              With a passkey you sign in by your fingerprint, your face or the PIN of your device.
              It can't be guessed or phished.
            </p>
            {passkeys.length > 0 && (
              <ul className={`stack ${styles.list}`}>
                {passkeys.map((passkey) => (
                  <li
                    key={passkey.id}
                    className={`cluster middle spread gap-8-16 line-below ${styles.row}`}
                  >
                    <div className="breaks">
                      <p className="strong">{nameOf(passkey)}</p>
                      <p className="quiet small">{factsOf(passkey)}</p>
                    </div>
                    <Button
                      aria-label={`Remove the passkey of ${nameOf(passkey)}`}
                      onClick={() => remove(passkey)}
                    >
                      Remove
                    </Button>
                  </li>
                ))}
              </ul>
            )}
            {canUsePasskeys() ? (
              <div className="cluster gap-12">
                <Button onClick={add}>Add a passkey</Button>
              </div>
            ) : (
              <p className="quiet small">This browser can't add a passkey here.</p>
            )}
            {passkeys.length > 0 && (
              <Switch
                label="Ask for a passkey on new devices"
                checked={asks}
                hint={asks ? 'On a new device, your password alone signs nobody in.' : ''}
                onChange={choose}
              />
            )}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

const STOP_ASKING = (
  <p>Your password alone will sign you in on new devices again. We email all of your addresses.</p>
);
const ASK = (
  <>
    <p>
      Where you haven't signed in before, it takes a passkey, or your password with a recovery code.
      We email all of your addresses.
    </p>
    <p>
      Keep recovery codes as well. If you lose your passkeys and have no codes, a new password by
      email takes {PASSWORD_WAITS_DAYS} days.
    </p>
  </>
);
const TURNED_OFF = "New devices aren't asked for a passkey any more.";

function nameOf({ name }: Passkey): string {
  return name === '' ? 'Unknown device' : name;
}

function factsOf({ addedAt, lastUsedOn, isBackedUp }: Passkey): string {
  const used = lastUsedOn ? `last used on ${longDay(lastUsedOn)}` : 'not used yet';
  const backedUp = isBackedUp ? ' · on your other devices as well' : '';
  return `Added on ${longDate(addedAt)} · ${used}${backedUp}`;
}
