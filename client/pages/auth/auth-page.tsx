import { Suspense, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { resendVerification } from '../../../shared/api/auth.ts';
import { registrationRefused } from '../../../shared/sentences.ts';
import { call } from '../../api/client.ts';
import { messageFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { lazyExtra } from '../../components/lazy-extra.ts';
import { canUsePasskeys } from '../../hooks/can-use-passkeys.ts';
import { useContact, useRegistration } from '../../hooks/use-contact.ts';
import { WithContactLink } from '../contact-link.tsx';
import { useAction } from '../use-action.ts';
import { AuthForm } from './auth-form.tsx';
import styles from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';

/** The form works without it. */
const PasskeySignIn = lazyExtra(
  async () => (await import('../sign-in/passkey-sign-in.tsx')).PasskeySignIn,
);

/** Why somebody who comes back from the identity provider is not signed in. */
const ProviderNews = lazyExtra(
  async () => (await import('../sign-in/provider-news.tsx')).ProviderNews,
);

/** In the address after something was shared with the app while nobody was signed in. */
const NOT_SHARED = 'shared';

/** Sign in and register on one screen; `?register=true` chooses. */
export function AuthPage() {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const registering = query.get('register') === 'true';
  const [unverified, setUnverified] = useState<string | null>(null);
  const [typedEmail, setTypedEmail] = useState('');
  const isOpen = useRegistration() === 'open';
  const { provider, passwordsOff = false } = useContact();
  const news = query.get('provider');
  const title = registering ? 'Create your account' : 'Sign in';

  if (registering && !isOpen) {
    return (
      <AuthFrame title="Not open to everybody">
        <RegistrationClosed />
        <div className="cluster spread gap-4-16 line-above pad-above">
          <Link className="target strong inline-row" to="/auth">
            Already have an account? Sign In
          </Link>
        </div>
      </AuthFrame>
    );
  }

  return (
    <AuthFrame title={title}>
      {query.has(NOT_SHARED) && (
        <FormFailure message="We couldn't save what you shared because you aren't signed in. Please sign in, then share it again." />
      )}
      {passwordsOff ? (
        <p>Here you sign in with {provider}. There are no passwords.</p>
      ) : (
        // A new key empties the form when the mode changes.
        <AuthForm
          key={search}
          registering={registering}
          onEmail={setTypedEmail}
          onUnverified={setUnverified}
        />
      )}
      {news !== null && (
        <Suspense>
          <ProviderNews code={news} />
        </Suspense>
      )}
      {provider && (
        <ButtonLink
          to="/auth/oidc"
          reloadDocument
          variant={passwordsOff ? 'primary' : 'secondary'}
          wide
        >
          Continue with {provider}
        </ButtonLink>
      )}
      {!registering && canUsePasskeys() && (
        <div className="target">
          <Suspense>
            <PasskeySignIn />
          </Suspense>
        </div>
      )}
      {!passwordsOff && (
        <div className="cluster spread gap-4-16 line-above pad-above">
          {registering ? (
            <Link className="target strong inline-row" to="/auth">
              Already have an account? Sign In
            </Link>
          ) : (
            <>
              {isOpen ? (
                <Link className="target strong inline-row" to="/auth?register=true">
                  Don't have an account? Create one
                </Link>
              ) : (
                <RegistrationClosed />
              )}
              <Link
                className="target strong inline-row"
                to="/auth/forgot-password"
                state={{ typedEmail }}
              >
                Forgot password?
              </Link>
            </>
          )}
        </div>
      )}
      {unverified !== null && (
        <VerifyPrompt email={unverified} onClose={() => setUnverified(null)} />
      )}
    </AuthFrame>
  );
}

/** Why nobody can register here, and whom to ask. */
function RegistrationClosed() {
  const { registration, email, isExample } = useContact();
  return (
    <p>
      <WithContactLink text={registrationRefused(registration, isExample ? null : email)} />
    </p>
  );
}

/** Shown after the right password if the address is not confirmed. */
function VerifyPrompt({ email, onClose }: { email: string; onClose: () => void }) {
  const [isSent, setSent] = useState(false);
  const { busy, failure, run } = useAction(
    async () => {
      setSent(false);
      await call(resendVerification, { body: { email } });
      setSent(true);
    },
    (error) => messageFrom(error, 'Failed to resend email. Please try again.'),
  );

  return (
    <Dialog
      title="Verify your email"
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" busy={busy} busyLabel="Sending…" onClick={() => run()}>
            Resend
          </Button>
        </>
      }
    >
      <div className={`stack gap-16 silent ${styles.form}`}>
        <p>
          Your password is right. Before you can sign in, please open the link we emailed to{' '}
          <span className="strong breaks">{email}</span>.
        </p>
        <p className="quiet">
          Nothing there, or the link has expired? Check your spam folder, or press Resend.
        </p>
        <p role="status">{isSent ? 'Sent. It can take a minute to arrive.' : failure}</p>
      </div>
    </Dialog>
  );
}
