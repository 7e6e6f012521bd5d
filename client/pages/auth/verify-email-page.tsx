import { useEffect, useState } from 'react';
import { verifyEmail } from '../../../shared/api/auth.ts';
import { call } from '../../api/client.ts';
import { isAnswerOf, sentenceFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useLinkToken } from '../../hooks/use-link-token.ts';
import styles from './auth-frame.module.css';
import { AuthFrame, IncompleteLink } from './auth-frame.tsx';

const INVALID_LINK = 'Invalid or expired verification link';

/** React may run an effect twice. Each token is sent once. */
const sent = new Map<string, Promise<unknown>>();

function verifyOnce(token: string): Promise<unknown> {
  const answer = sent.get(token) ?? call(verifyEmail, { body: { token } });
  sent.set(token, answer);
  return answer;
}

type Outcome = 'waiting' | 'verified' | { failure: string; mayBeGood: boolean };

export function VerifyEmailPage() {
  const token = useLinkToken();
  const [outcome, setOutcome] = useState<Outcome>('waiting');

  useEffect(() => {
    if (token === '') return;
    let shown = true;
    setOutcome('waiting');
    verifyOnce(token)
      .then(() => shown && setOutcome('verified'))
      .catch((error: unknown) => {
        sent.delete(token);
        const mayBeGood = !isAnswerOf(error, 'INVALID_VERIFICATION_TOKEN');
        if (shown) setOutcome({ failure: sentenceFrom(error, INVALID_LINK), mayBeGood });
      });
    return () => {
      shown = false;
    };
  }, [token]);

  if (token === '') {
    return (
      <IncompleteLink>
        <ButtonLink to="/auth">Back to Login</ButtonLink>
      </IncompleteLink>
    );
  }
  if (outcome === 'waiting') {
    return (
      <AuthFrame title="Confirm your email">
        <Spinner label="Confirming your address…" />
      </AuthFrame>
    );
  }
  if (outcome === 'verified') {
    return (
      <AuthFrame title="Email confirmed" follows>
        <p role="status">Thank you. Your address is confirmed and you can sign in now.</p>
        <ButtonLink to="/auth" variant="primary" wide>
          Go to Login
        </ButtonLink>
      </AuthFrame>
    );
  }
  // The server did not answer, so the link may still work.
  if (outcome.mayBeGood) {
    return (
      <AuthFrame title="Email not confirmed yet">
        <FormFailure message={outcome.failure} />
        <Button variant="primary" wide onClick={() => location.reload()}>
          Try again
        </Button>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Invalid Verification Link">
      <FormFailure message={outcome.failure} />
      <p className={styles.quiet}>
        The link may have expired or been used already. Sign in with your email and password. If
        your address isn't confirmed yet, we'll offer to send you a new link.
      </p>
      <ButtonLink to="/auth" variant="primary" wide>
        Back to Login
      </ButtonLink>
    </AuthFrame>
  );
}
