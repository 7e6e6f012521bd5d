import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { AuthForm } from './auth-form.tsx';
import styles from './auth-frame.module.css';
import { AuthFrame, FormFailure } from './auth-frame.tsx';
import { VerifyPrompt } from './verify-prompt.tsx';

/** In the address, where somebody shared something with the app before they had signed in. */
const NOT_SHARED = 'shared';

/** Sign in and register on one screen; `?register=true` chooses. */
export function AuthPage() {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const registering = query.get('register') === 'true';
  const [unverified, setUnverified] = useState<string | null>(null);
  const title = registering ? 'Create your account' : 'Sign in';
  useHeadingFocus(registering);

  return (
    <AuthFrame title={title}>
      {query.has(NOT_SHARED) && (
        <FormFailure message="We couldn't save what you shared because you aren't signed in. Please sign in, then share it again." />
      )}
      {/* A new query is a new form: nothing typed for one mode is left over in the other. */}
      <AuthForm key={search} registering={registering} onUnverified={setUnverified} />
      <div className={styles.foot}>
        {registering ? (
          <Link className={styles.link} to="/auth">
            Already have an account? Sign In
          </Link>
        ) : (
          <>
            <Link className={styles.link} to="/auth?register=true">
              Don't have an account? Create one
            </Link>
            <Link className={styles.link} to="/auth/forgot-password">
              Forgot password?
            </Link>
          </>
        )}
      </div>
      {unverified !== null && (
        <VerifyPrompt email={unverified} onClose={() => setUnverified(null)} />
      )}
    </AuthFrame>
  );
}

/** The link that switched the mode is gone with it: reading goes on at the new heading. */
function useHeadingFocus(registering: boolean) {
  const shown = useRef(registering);
  useEffect(() => {
    if (shown.current === registering) return;
    shown.current = registering;
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.focus();
  }, [registering]);
}
