import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { verifyEmail } from '../../../shared/api/auth.ts';
import { call } from '../../http/call.ts';
import { isAnswerOf, sentenceFrom } from '../../http/call-error.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { FormFailure } from './form-failure.tsx';

const INVALID_LINK = 'Invalid or expired verification link';

/** A link works once, and an effect may run twice: each token is sent one time. */
const sent = new Map<string, Promise<unknown>>();

function verifyOnce(token: string): Promise<unknown> {
  const answer = sent.get(token) ?? call(verifyEmail, { body: { token } });
  sent.set(token, answer);
  return answer;
}

type Outcome = 'waiting' | 'verified' | { failure: string; mayBeGood: boolean };

export function VerifyEmailPage() {
  const token = useSearchParams()[0].get('token') ?? '';
  const [outcome, setOutcome] = useState<Outcome>('waiting');

  useEffect(() => {
    if (token === '') return setOutcome({ failure: INVALID_LINK, mayBeGood: false });
    let shown = true;
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
  // Nobody has looked at the link: it is as good as before.
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
        The link may have expired or been used already. Sign in with your email and password: if
        your address still waits to be confirmed, we offer to send a new link.
      </p>
      <ButtonLink to="/auth" variant="primary" wide>
        Back to Login
      </ButtonLink>
    </AuthFrame>
  );
}
