import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ArrowLeft } from '../../components/icon.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { usePasskeys } from '../../hooks/use-passkeys.ts';
import { useRecoveryCodes } from '../../hooks/use-recovery-codes.ts';
import { useSessions } from '../../hooks/use-sessions.ts';
import back from '../back-to-dashboard.module.css';
import { PasskeysCard } from './passkeys-card.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import styles from './sign-in.module.css';

/** In the same file of code: few people ever come to it. */
export { RecoveryCodePage } from './recovery-code.tsx';

/** Where the person is signed in, and what lets them in. */
export function SignInPage() {
  const sessions = useSessions();
  const passkeys = usePasskeys();
  const codes = useRecoveryCodes();
  // All cards come at once, so that none moves when another one does.
  const isAsking = [sessions, passkeys, codes].some(({ data, error }) => !data && error === null);
  const [isShown, setShown] = useState(false);
  if (!isAsking && !isShown) setShown(true);
  return (
    <div className={styles.page}>
      <Link to="/profile" className={back.back}>
        <ArrowLeft size={18} aria-hidden="true" />
        Back to Profile
      </Link>
      <h1 tabIndex={-1}>Signing in</h1>
      {isShown ? (
        <>
          <SessionsCard sessions={sessions} />
          <PasskeysCard book={passkeys} />
          <RecoveryCodesCard book={codes} />
        </>
      ) : (
        <Spinner label="Loading where you're signed in..." />
      )}
    </div>
  );
}
