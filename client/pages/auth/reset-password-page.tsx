import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { validateToken } from '../../../shared/api/auth.ts';
import { REDIRECT_AFTER_RESET_MS } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { isAborted, isAnswerOf } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { failureText } from '../check-form.ts';
import styles from './auth-frame.module.css';
import { AuthFrame, FormFailure } from './auth-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

const INVALID_LINK = 'Invalid or expired reset link';

type View =
  | { name: 'validating' | 'form' | 'success' }
  | { name: 'invalid'; message: string; mayBeGood: boolean };

export function ResetPasswordPage() {
  const token = useSearchParams()[0].get('token') ?? '';
  const [view, setView] = useState<View>({ name: 'validating' });

  useEffect(() => {
    if (token === '') return setView({ name: 'invalid', message: INVALID_LINK, mayBeGood: false });
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
  return (
    <AuthFrame title="Reset password">
      {view.name === 'validating' ? (
        <Spinner label="Validating reset link..." />
      ) : (
        <NewPasswordForm token={token} onSuccess={() => setView({ name: 'success' })} />
      )}
    </AuthFrame>
  );
}

/** `mayBeGood`: the server did not answer, so the same link can be tried again. */
function InvalidLink({ message, mayBeGood }: { message: string; mayBeGood: boolean }) {
  return (
    <AuthFrame title="Invalid Reset Link">
      <FormFailure message={message} />
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
    <AuthFrame title="Password Reset Successful" follows>
      <p role="status">Your password has been successfully updated.</p>
      <ButtonLink to="/auth" variant="primary" wide>
        Go to Login
      </ButtonLink>
    </AuthFrame>
  );
}
