import { Link, useLocation } from 'react-router-dom';
import { LayoutGrid, Plus, Send, User } from '../components/icon.tsx';
import { deviceState } from '../hooks/device-state.ts';
import { useExternalStore } from '../hooks/store.ts';
import { useAuth } from '../hooks/use-session.ts';
import styles from './bottom-navigation.module.css';

const PLACES = [
  { to: '/dashboard', text: 'Dashboard', Mark: LayoutGrid },
  { to: '/create', text: 'Create', Mark: Plus },
  { to: '/profile', text: 'Profile', Mark: User },
];

/** Only while something waits in it. */
const OUTBOX = { to: '/outbox', text: 'Outbox', Mark: Send };

/** Within reach of the thumb; only when the app stands on a phone's home screen. */
export function BottomNavigation() {
  const { isLoggedIn } = useAuth();
  const { pathname } = useLocation();
  const { queued } = useExternalStore(deviceState);
  if (!isLoggedIn) return null;
  return (
    <nav className={styles.bottom} aria-label="App">
      {(queued > 0 ? [...PLACES, OUTBOX] : PLACES).map(({ to, text, Mark }) => (
        <Link
          key={to}
          className={`stack quiet small strong ${styles.place}`}
          to={to}
          aria-current={to === pathname ? 'page' : undefined}
        >
          <Mark size={22} />
          {text}
        </Link>
      ))}
    </nav>
  );
}
