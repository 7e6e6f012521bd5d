import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { KeyRound } from '../../components/icon.tsx';
import { toasts } from '../../components/toast.tsx';
import { offerPasskeys, signInWithPasskey } from '../../hooks/passkeys.ts';
import { failureText } from '../check-form.ts';
import { WithContactLink } from '../contact-link.tsx';
import { useAction } from '../use-action.ts';

/** Below the form that asks for a password: signs in without one, and lets the browser offer it above. */
export function PasskeySignIn() {
  const { busy, failure, run } = useAction(async () => {
    await signInWithPasskey();
    welcome();
  }, sentence);
  const [refusal, setRefusal] = useState<string | null>(null);
  // A browser takes one request for a passkey at a time: while the button's is open, the other ends.
  useEffect(() => {
    if (busy) return;
    return offerPasskeys(welcome, (error) => setRefusal(sentence(error)));
  }, [busy]);
  const said = failure ?? refusal;

  return (
    <div className="stack gap-12 silent">
      <FormFailure message={said && <WithContactLink text={said} />} />
      <Button
        wide
        icon={KeyRound}
        busy={busy}
        busyLabel="Waiting for your passkey…"
        onClick={() => run()}
      >
        Sign in with a passkey
      </Button>
    </div>
  );
}

/** The route guard of the page leads on, as after a sign-in with the password. */
const welcome = () => toasts.success('Welcome back!');

const sentence = (error: unknown) =>
  failureText(error, "This passkey doesn't work here. Please sign in another way.");
