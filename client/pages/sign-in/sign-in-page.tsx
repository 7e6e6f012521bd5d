import { Link } from 'react-router-dom';
import { ArrowLeft } from '../../components/icon.tsx';
import back from '../back-to-dashboard.module.css';
import { PasskeysCard } from './passkeys-card.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import styles from './sign-in.module.css';

/** In the same file of code: few people ever come to it. */
export { RecoveryCodePage } from './recovery-code.tsx';

/** Where the person is signed in, and what lets them in. */
export function SignInPage() {
  return (
    <div className={styles.page}>
      <Link to="/profile" className={back.back}>
        <ArrowLeft size={18} aria-hidden="true" />
        Back to Profile
      </Link>
      <h1 tabIndex={-1}>Signing in</h1>
      <SessionsCard />
      <PasskeysCard />
      <RecoveryCodesCard />
    </div>
  );
}
