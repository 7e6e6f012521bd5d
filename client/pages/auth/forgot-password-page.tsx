import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { forgotPassword, forgotPasswordSchema } from '../../../shared/api/auth.ts';
import { call } from '../../api/client.ts';
import { messageFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { useContact } from '../../hooks/use-contact.ts';
import { useAuth } from '../../hooks/use-session.ts';
import { checkForm, valuesOf } from '../check-form.ts';
import { focusFirstError } from '../focus.ts';
import styles from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { provider, passwordsOff } = useContact();
  if (passwordsOff) {
    return (
      <AuthFrame title="Forgot password?">
        <p>Here you sign in with {provider}. There are no passwords.</p>
        <ButtonLink to="/auth" variant="primary" wide>
          Back to Login
        </ButtonLink>
      </AuthFrame>
    );
  }
  return sentTo === null ? <AskAddress onSent={setSentTo} /> : <Sent email={sentTo} />;
}

/** Sends the link, one request at a time. */
function useSending(otherwise: string) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async (email: string): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    setFailure(null);
    try {
      await call(forgotPassword, { body: { email } });
      return true;
    } catch (error) {
      setFailure(messageFrom(error, otherwise));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, send };
}

function AskAddress({ onSent }: { onSent: (email: string) => void }) {
  const form = useRef<HTMLFormElement>(null);
  // Somebody signed in comes here from the profile, to change the password.
  const [email, setEmail] = useState(useAuth().user?.email ?? '');
  const [error, setError] = useState<string | undefined>();
  const { busy, failure, send } = useSending('Failed to send reset link. Please try again.');

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const typed = valuesOf(form.current, { email });
    setEmail(typed.email);
    const checked = checkForm(forgotPasswordSchema, typed);
    if (!checked.ok) {
      setError(checked.errors.email);
      focusFirstError(form.current);
    } else if (await send(checked.data.email)) onSent(checked.data.email);
  };

  return (
    <AuthFrame title="Forgot password?">
      <p className={styles.quiet}>
        Enter your email address and we'll send you a link to choose a new password.
      </p>
      <form className={styles.form} ref={form} noValidate onSubmit={onSubmit}>
        <FormFailure message={failure} />
        <TextField
          label="Email"
          type="email"
          required
          name="email"
          enterKeyHint="send"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          error={error}
          onChange={({ target }) => {
            setEmail(target.value);
            setError(undefined);
          }}
        />
        <Button type="submit" variant="primary" wide busy={busy} busyLabel="Sending…">
          Send Reset Link
        </Button>
      </form>
      <div className={styles.foot}>
        <Link className={styles.link} to="/auth">
          Back to Login
        </Link>
      </div>
    </AuthFrame>
  );
}

function Sent({ email }: { email: string }) {
  const [again, setAgain] = useState(false);
  const { busy, failure, send } = useSending('Failed to resend email. Please try again.');
  return (
    <AuthFrame title="Check Your Email">
      <div className={styles.form} role="status">
        <p>
          If there's an account for <span className={styles.address}>{email}</span>, we've sent it a
          link.
        </p>
        <p className={styles.quiet}>
          The link will expire in 5 minutes. Check your spam folder if you don't see it.
        </p>
        {again && <p>Sent again. Only the newest link works.</p>}
      </div>
      <FormFailure message={failure} />
      <div className={styles.row}>
        <Button
          busy={busy}
          busyLabel="Sending…"
          onClick={async () => {
            setAgain(false);
            setAgain(await send(email));
          }}
        >
          Resend Email
        </Button>
        <ButtonLink to="/auth" variant="primary">
          Back to Login
        </ButtonLink>
      </div>
    </AuthFrame>
  );
}
