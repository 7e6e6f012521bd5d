import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { resetPassword, resetPasswordSchema, validateToken } from '../../../shared/api/auth.ts';
import type { ResponseOf } from '../../../shared/api/endpoint.ts';
import { REDIRECT_AFTER_RESET_MS } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { CallError, isAborted, isAnswerOf, messageFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { PasswordField } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { sessionEnded } from '../../hooks/use-session.ts';
import { checkForm, type FieldErrors, failureText, passwordHint, valuesOf } from '../check-form.ts';
import { focusFirstError } from '../focus.ts';
import { longDate } from '../format.ts';
import styles from './auth-frame.module.css';
import { AuthFrame, INCOMPLETE_LINK } from './auth-frame.tsx';

const INVALID_LINK = 'Invalid or expired reset link';

type View =
  | { name: 'validating' | 'form' | 'success' }
  | { name: 'waiting'; countsFrom: string; lacksPasskey?: boolean | undefined }
  | { name: 'invalid'; message: string; mayBeGood?: boolean; isIncomplete?: boolean };

export function ResetPasswordPage() {
  const token = useSearchParams()[0].get('token') ?? '';
  const [view, setView] = useState<View>({ name: 'validating' });

  useEffect(() => {
    if (token === '')
      return setView({ name: 'invalid', message: INVALID_LINK, isIncomplete: true });
    const controller = new AbortController();
    call(validateToken, { query: { token }, signal: controller.signal })
      .then(() => setView({ name: 'form' }))
      .catch((error: unknown) => {
        if (isAborted(error)) return;
        const mayBeGood = !isAnswerOf(error, 'INVALID_RESET_TOKEN');
        setView({ name: 'invalid', message: failureText(error, INVALID_LINK), mayBeGood });
      });
    return () => controller.abort();
  }, [token]);

  if (view.name === 'invalid') return <InvalidLink {...view} />;
  if (view.name === 'success') return <Success />;
  if (view.name === 'waiting') return <Waiting {...view} />;
  return (
    <AuthFrame title="Reset password">
      {view.name === 'validating' ? (
        <Spinner label="Validating reset link..." />
      ) : (
        <NewPasswordForm
          token={token}
          onSuccess={({ countsFrom, lacksPasskey }) =>
            setView(
              countsFrom ? { name: 'waiting', countsFrom, lacksPasskey } : { name: 'success' },
            )
          }
        />
      )}
    </AuthFrame>
  );
}

/**
 * @param mayBeGood the server did not answer, so the same link can be tried again
 * @param isIncomplete the address has no token
 */
function InvalidLink({
  message,
  mayBeGood,
  isIncomplete,
}: Pick<View & { name: 'invalid' }, 'message' | 'mayBeGood' | 'isIncomplete'>) {
  return (
    <AuthFrame title="Invalid Reset Link">
      <FormFailure message={message} />
      {isIncomplete && <p>{INCOMPLETE_LINK}</p>}
      <p className={styles.quiet}>
        The link may have expired or been used already. Please request a new password reset.
      </p>
      <div className={styles.row}>
        {mayBeGood && <Button onClick={() => location.reload()}>Try again</Button>}
        <ButtonLink to="/auth/forgot-password" variant="primary">
          Request New Reset Link
        </ButtonLink>
        <ButtonLink to="/auth">Back to Login</ButtonLink>
      </div>
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

/**
 * Another address of the account has to agree first, or a passkey is missing. It stays, because it
 * has something to say.
 */
function Waiting({ countsFrom, lacksPasskey }: Omit<View & { name: 'waiting' }, 'name'>) {
  return (
    <AuthFrame title="One more step">
      {lacksPasskey ? (
        <>
          <p role="status">
            Your account asks for a passkey on new devices, and this is one. With a recovery code,
            your new password takes effect at once. Without one, it takes effect on{' '}
            {longDate(countsFrom)}.
          </p>
          <p className={styles.quiet}>
            If you sign in with a passkey or your old password before, the new one is dropped.
          </p>
        </>
      ) : (
        <>
          <p role="status">
            We've asked another address of yours whether this was you. Say yes there, and your new
            password takes effect at once. Without an answer, it takes effect on{' '}
            {longDate(countsFrom)}.
          </p>
          <p className={styles.quiet}>
            If your old password still works and you sign in with it, the new one is dropped.
          </p>
        </>
      )}
      <div className={styles.row}>
        <ButtonLink to="/auth/recovery-code">Use a recovery code</ButtonLink>
        <ButtonLink to="/auth">Go to Login</ButtonLink>
      </div>
    </AuthFrame>
  );
}

interface NewPasswordFormProps {
  token: string;
  /** @param answer where the password has to wait, until when, and why */
  onSuccess: (answer: ResponseOf<typeof resetPassword>) => void;
}

function check(password: string, confirmation: string): FieldErrors {
  const checked = checkForm(resetPasswordSchema, { password });
  if (!checked.ok) return checked.errors;
  return password === confirmation ? {} : { confirmation: 'Passwords do not match' };
}

function NewPasswordForm({ token, onSuccess }: NewPasswordFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [isExpired, setExpired] = useState(false);

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const typed = valuesOf(form.current, { password, confirmation });
    setPassword(typed.password);
    setConfirmation(typed.confirmation);
    const found = check(typed.password, typed.confirmation);
    setErrors(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return focusFirstError(form.current);
    setBusy(true);
    try {
      const answer = await call(resetPassword, {
        query: { token },
        body: { password: typed.password },
      });
      // With the new password the server ends all sessions of the account, including this one.
      if (!answer.countsFrom) sessionEnded();
      onSuccess(answer);
    } catch (error) {
      if (error instanceof CallError) {
        setErrors(error.errors);
        setExpired(error.code === 'INVALID_RESET_TOKEN');
      }
      setFailure(messageFrom(error, 'Failed to reset password. Please try again.'));
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} ref={form} noValidate onSubmit={onSubmit}>
      <FormFailure message={failure} />
      {isExpired && failure && (
        <ButtonLink to="/auth/forgot-password">Request New Reset Link</ButtonLink>
      )}
      <PasswordField
        label="New Password"
        required
        name="password"
        autoComplete="new-password"
        enterKeyHint="next"
        value={password}
        error={errors.password}
        hint={errors.password ? undefined : passwordHint(password)}
        onChange={({ target }) => {
          setPassword(target.value);
          setErrors({});
        }}
      />
      <PasswordField
        label="Confirm New Password"
        required
        name="confirmation"
        autoComplete="new-password"
        enterKeyHint="go"
        value={confirmation}
        error={errors.confirmation}
        onChange={({ target }) => {
          setConfirmation(target.value);
          setErrors({});
        }}
      />
      <p className={styles.quiet}>
        This signs you out on every device, and removes passkeys and linked sign-ins added in the
        last seven days.
      </p>
      <Button type="submit" variant="primary" wide busy={busy} busyLabel="Updating…">
        Update Password
      </Button>
    </form>
  );
}
