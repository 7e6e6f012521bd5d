import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { resetPassword, resetPasswordSchema, validateToken } from '../../../shared/api/auth.ts';
import type { ResponseOf } from '../../../shared/api/endpoint.ts';
import { REDIRECT_AFTER_RESET_MS } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { isAnswerOf, messageFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { PasswordField } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { checkSession } from '../../hooks/check-session.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { useAuth } from '../../hooks/use-session.ts';
import { type Checked, checkForm, failureText, passwordHint } from '../check-form.ts';
import { longDate } from '../format.ts';
import { useForm } from '../use-form.ts';
import styles from './auth-frame.module.css';
import { AuthFrame, INCOMPLETE_LINK } from './auth-frame.tsx';

/* In the same file of code: whoever asks for a link comes back by it. */
export { ForgotPasswordPage } from './forgot-password-page.tsx';

const INVALID_LINK = 'Invalid or expired reset link';

export function ResetPasswordPage() {
  const token = useSearchParams()[0].get('token') ?? '';
  const [answer, setAnswer] = useState<ResponseOf<typeof resetPassword> | null>(null);
  const { data, error, isRefreshing, refresh } = useQuery(token || null, (signal) =>
    call(validateToken, { query: { token }, signal }),
  );
  if (answer?.countsFrom) return <Waiting {...answer} countsFrom={answer.countsFrom} />;
  if (answer) return <Success />;
  if (token === '' || (!data && error !== null && !isRefreshing)) {
    return (
      <AuthFrame title="Invalid Reset Link">
        <FormFailure message={token === '' ? INVALID_LINK : failureText(error, INVALID_LINK)} />
        {token === '' && <p>{INCOMPLETE_LINK}</p>}
        <p className="quiet">
          The link may have expired or been used already. Please request a new password reset.
        </p>
        <div className="cluster gap-12 sharing">
          {/* The server did not answer. */}
          {token !== '' && !isAnswerOf(error, 'INVALID_RESET_TOKEN') && (
            <Button onClick={() => void refresh()}>Try again</Button>
          )}
          <ButtonLink to="/auth/forgot-password" variant="primary">
            Request New Reset Link
          </ButtonLink>
          <ButtonLink to="/auth">Back to Login</ButtonLink>
        </div>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Reset password">
      {data ? (
        <NewPasswordForm token={token} onSuccess={setAnswer} />
      ) : (
        <Spinner label="Validating reset link..." />
      )}
    </AuthFrame>
  );
}

function Success() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate('/auth'), REDIRECT_AFTER_RESET_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <AuthFrame title="Password Reset Successful">
      <p role="status">Your password has been successfully updated.</p>
      <ButtonLink to="/auth" variant="primary" wide>
        Go to Login
      </ButtonLink>
    </AuthFrame>
  );
}

interface WaitingProps {
  countsFrom: string;
  lacksPasskey?: boolean | undefined;
}

/**
 * Another address of the account has to agree first, or a passkey is missing. It stays, because it
 * has something to say.
 */
function Waiting({ countsFrom, lacksPasskey }: WaitingProps) {
  const { isLoggedIn } = useAuth();
  return (
    <AuthFrame title="One more step">
      <p role="status">
        {lacksPasskey
          ? 'Your account asks for a passkey on new devices, and this is one. With a recovery code, your new password takes effect at once. Without one,'
          : "We've asked another address of yours whether this was you. Say yes there, and your new password takes effect at once. Without an answer,"}{' '}
        it takes effect on {longDate(countsFrom)}.
      </p>
      <p className="quiet">
        {lacksPasskey
          ? 'If you sign in with a passkey or your old password before, the new one is dropped.'
          : 'If your old password still works and you sign in with it, the new one is dropped.'}
      </p>
      <div className="cluster gap-12 sharing">
        <ButtonLink to="/auth/recovery-code">Use a recovery code</ButtonLink>
        {isLoggedIn ? (
          <ButtonLink to="/profile/safety">Back to Safety</ButtonLink>
        ) : (
          <ButtonLink to="/auth">Go to Login</ButtonLink>
        )}
      </div>
    </AuthFrame>
  );
}

interface NewPasswordFormProps {
  token: string;
  /** @param answer where the password has to wait, until when, and why */
  onSuccess: (answer: ResponseOf<typeof resetPassword>) => void;
}

function check({ password, confirmation }: Passwords): Checked<{ password: string }> {
  const checked = checkForm(resetPasswordSchema, { password });
  const errors = { confirmation: 'Passwords do not match' };
  return checked.ok && password !== confirmation ? { ok: false, errors } : checked;
}

interface Passwords extends Record<string, string> {
  password: string;
  confirmation: string;
}

function NewPasswordForm({ token, onSuccess }: NewPasswordFormProps) {
  const [isExpired, setExpired] = useState(false);
  const state = useState<Passwords>({ password: '', confirmation: '' });
  const { props, values, failure, busy, field, mend } = useForm(state, {
    check,
    send: async (body) => {
      const answer = await call(resetPassword, { query: { token }, body });
      // With the new password the server ends all sessions of the account: this device may have one.
      if (!answer.countsFrom) await checkSession();
      onSuccess(answer);
    },
    repeats: true,
    explain: (error) => {
      setExpired(isAnswerOf(error, 'INVALID_RESET_TOKEN'));
      return messageFrom(error, 'Failed to reset password. Please try again.');
    },
  });
  const password = field('password');

  return (
    <form {...props} className={`stack gap-16 silent ${styles.form}`}>
      <FormFailure message={failure} />
      {isExpired && failure && (
        <ButtonLink to="/auth/forgot-password">Request New Reset Link</ButtonLink>
      )}
      <PasswordField
        label="New Password"
        required
        autoComplete="new-password"
        enterKeyHint="next"
        hint={password.error ? undefined : passwordHint(values.password)}
        {...password}
        onChange={(event) => {
          password.onChange(event);
          mend('confirmation');
        }}
      />
      <PasswordField
        label="Confirm New Password"
        required
        autoComplete="new-password"
        enterKeyHint="go"
        {...field('confirmation')}
      />
      <p className="quiet">
        When it takes effect, it signs you out on every device, and removes passkeys, recovery codes
        and linked sign-ins added in the last seven days.
      </p>
      <Button type="submit" variant="primary" wide busy={busy} busyLabel="Updating…">
        Update Password
      </Button>
    </form>
  );
}
