import { useState } from 'react';
import type { Passkey } from '../../../shared/api/passkeys.ts';
import { PASSWORD_WAITS_DAYS, UNDO_DAYS } from '../../../shared/limits.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Switch } from '../../components/switch.tsx';
import { toasts } from '../../components/toast.tsx';
import { canUsePasskeys } from '../../hooks/can-use-passkeys.ts';
import type { usePasskeys } from '../../hooks/use-passkeys.ts';
import { focusHeading } from '../focus.ts';
import { longDate, longDay } from '../format.ts';
import { Loaded } from '../loaded.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import styles from '../profile-part.module.css';

/** What signs the person in without a password. */
export function PasskeysCard({ book }: { book: ReturnType<typeof usePasskeys> }) {
  const [step, setStep] = useState<Passkey | 'add' | 'choose' | null>(null);
  const asks = book.data?.asksOnNewDevices ?? false;
  const isLast = book.data?.passkeys.length === 1;

  return (
    <Card title="Passkeys">
      <Loaded of={book} what="your passkeys">
        {({ passkeys }) => (
          <div className={styles.part}>
            <p>
              With a passkey you sign in by your fingerprint, your face or the PIN of your device.
              It can't be guessed or phished.
            </p>
            {passkeys.length > 0 && (
              <ul className={styles.list}>
                {passkeys.map((passkey) => (
                  <li key={passkey.id} className={styles.row}>
                    <div>
                      <p className={styles.name}>{nameOf(passkey)}</p>
                      <p className={styles.facts}>{factsOf(passkey)}</p>
                    </div>
                    <Button
                      aria-label={`Remove the passkey of ${nameOf(passkey)}`}
                      onClick={() => setStep(passkey)}
                    >
                      Remove
                    </Button>
                  </li>
                ))}
              </ul>
            )}
            {canUsePasskeys() ? (
              <div className={styles.actions}>
                <Button onClick={() => setStep('add')}>Add a passkey</Button>
              </div>
            ) : (
              <p className={styles.facts}>This browser can't add a passkey here.</p>
            )}
            {passkeys.length > 0 && (
              <Switch
                label="Ask for a passkey on new devices"
                checked={asks}
                hint={asks ? 'On a new device, your password alone signs nobody in.' : ''}
                onChange={() => setStep('choose')}
              />
            )}
          </div>
        )}
      </Loaded>
      {step === 'add' && (
        <PasswordDialog
          title="Add a passkey?"
          submit="Add a passkey"
          send={async ({ password }) => {
            await book.add(password);
            setStep(null);
            toasts.success('Your passkey is added.');
          }}
          onClose={() => setStep(null)}
        >
          <p>
            Your browser asks where to save it. We email all of your addresses, with a link that
            removes it for {UNDO_DAYS} days.
          </p>
        </PasswordDialog>
      )}
      {step === 'choose' && (
        <PasswordDialog
          title={asks ? 'Stop asking for a passkey?' : 'Ask for a passkey on new devices?'}
          submit={asks ? 'Stop asking' : 'Ask for a passkey'}
          variant={asks ? 'danger' : 'primary'}
          send={async ({ password }) => {
            await book.choose(!asks, password);
            setStep(null);
            toasts.success(asks ? TURNED_OFF : 'New devices are asked for a passkey.');
          }}
          onClose={() => setStep(null)}
        >
          {asks ? (
            <p>
              Your password alone will sign you in on new devices again. We email all of your
              addresses.
            </p>
          ) : (
            <>
              <p>
                Where you haven't signed in before, it takes a passkey, or your password with a
                recovery code. We email all of your addresses.
              </p>
              <p>
                Make recovery codes as well. If you lose your passkeys and have no codes, a new
                password by email takes {PASSWORD_WAITS_DAYS} days.
              </p>
            </>
          )}
        </PasswordDialog>
      )}
      {step !== null && step !== 'add' && step !== 'choose' && (
        <PasswordDialog
          title="Remove this passkey?"
          submit="Remove it"
          variant="danger"
          send={async ({ password }) => {
            await book.remove(step.id, password);
            setStep(null);
            toasts.success('The passkey is removed.');
            // The pressed button has disappeared with the passkey.
            focusHeading();
          }}
          onClose={() => setStep(null)}
        >
          <p>
            {nameOf(step)} won't sign you in any more. Your device may go on offering it until you
            delete it there.
          </p>
          {asks && isLast && (
            <p>It's your last one, so new devices won't be asked for a passkey.</p>
          )}
        </PasswordDialog>
      )}
    </Card>
  );
}

const TURNED_OFF = "New devices aren't asked for a passkey any more.";

function nameOf({ name }: Passkey): string {
  return name === '' ? 'Unknown device' : name;
}

function factsOf({ addedAt, lastUsedOn, isBackedUp }: Passkey): string {
  const used = lastUsedOn ? `last used on ${longDay(lastUsedOn)}` : 'not used yet';
  const backedUp = isBackedUp ? ' · on your other devices as well' : '';
  return `Added on ${longDate(addedAt)} · ${used}${backedUp}`;
}
