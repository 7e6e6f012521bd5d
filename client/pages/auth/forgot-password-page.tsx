import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { forgotPassword, forgotPasswordSchema } from '../../../shared/api/auth.ts';
import { call } from '../../api/client.ts';
import { messageFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { useContact } from '../../hooks/use-contact.ts';
import { useMe } from '../../hooks/use-people.ts';
import { useAuth } from '../../hooks/use-session.ts';
import { checkForm } from '../check-form.ts';
import { useAction } from '../use-action.ts';
import { useForm } from '../use-form.ts';
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

function AskAddress({ onSent }: { onSent: (email: string) => void }) {
  // Somebody signed in comes here from Safety.
  const { isLoggedIn } = useAuth();
  const back = useWayBack();
  const { typedEmail = '' } = useLocation().state ?? {};
  const own = { email: useMe().data?.email ?? typedEmail };
  /** Null while nothing is typed here: their address may still be on its way. */
  const [typed, setTyped] = useState<typeof own | null>(null);
  const change = (next: (before: typeof own) => typeof own) =>
    setTyped((before) => next(before ?? own));
  const { props, failure, busy, field } = useForm([typed ?? own, change], {
    check: (typed) => checkForm(forgotPasswordSchema, typed),
    send: async (body) => {
      await call(forgotPassword, { body });
      onSent(body.email);
    },
    explain: (error) => messageFrom(error, 'Failed to send reset link. Please try again.'),
  });

  return (
    <AuthFrame title={isLoggedIn ? 'Change password' : 'Forgot password?'}>
      <p className="quiet">
        {isLoggedIn
          ? "We'll email you a link to choose a new password. It signs you out on all devices, including this one."
          : "Enter your email address and we'll send you a link to choose a new password."}
      </p>
      <form {...props} className={`stack gap-16 silent ${styles.form}`}>
        <FormFailure message={failure} />
        <TextField
          label="Email"
          type="email"
          required
          enterKeyHint="send"
          autoComplete="username"
          {...field('email')}
        />
        <Button type="submit" variant="primary" wide busy={busy} busyLabel="Sending…">
          Send Reset Link
        </Button>
      </form>
      <div className="cluster spread gap-4-16 line-above pad-above">
        <Link className="inline-row target strong" to={back.to}>
          {back.text}
        </Link>
      </div>
    </AuthFrame>
  );
}

function Sent({ email }: { email: string }) {
  const [again, setAgain] = useState(false);
  const isOwn = useMe().data?.email === email;
  const back = useWayBack();
  const { busy, failure, run } = useAction(
    async () => {
      setAgain(false);
      await call(forgotPassword, { body: { email } });
      setAgain(true);
    },
    (error) => messageFrom(error, 'Failed to resend email. Please try again.'),
  );
  return (
    <AuthFrame title="Check Your Email">
      <div className={`stack gap-16 silent ${styles.form}`} role="status">
        <p>
          {isOwn ? "We've sent a link to" : "If there's an account for"}{' '}
          <span className="strong breaks">{email}</span>
          {isOwn ? '.' : ", we've sent it a link."}
        </p>
        <p className="quiet">
          The link will expire in 5 minutes. Check your spam folder if you don't see it.
        </p>
        {again && <p>Sent again. Only the newest link works.</p>}
      </div>
      <FormFailure message={failure} />
      <div className="cluster gap-12 sharing">
        <Button busy={busy} busyLabel="Sending…" onClick={() => run()}>
          Resend Email
        </Button>
        <ButtonLink to={back.to} variant="primary">
          {back.text}
        </ButtonLink>
      </div>
    </AuthFrame>
  );
}

function useWayBack() {
  const { isLoggedIn } = useAuth();
  return isLoggedIn
    ? { to: '/profile/safety', text: 'Back to Safety' }
    : { to: '/auth', text: 'Back to Login' };
}
