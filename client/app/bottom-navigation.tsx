import { Link, useLocation } from 'react-router-dom';
import { LayoutGrid, Plus, User } from '../components/icon.tsx';
import { useAuth } from '../hooks/use-session.ts';
import styles from './bottom-navigation.module.css';

const PLACES = [
  { to: '/dashboard', text: 'Dashboard', Mark: LayoutGrid },
  { to: '/create', text: 'Create', Mark: Plus },
  { to: '/profile', text: 'Profile', Mark: User },
];

/** Within reach of the thumb; only when the app stands on a phone's home screen. */
export function BottomNavigation() {
  const { isLoggedIn } = useAuth();
  const { pathname } = useLocation();
  if (!isLoggedIn) return null;
  return (
    <nav className={styles.bottom} aria-label="App">
      {PLACES.map(({ to, text, Mark }) => (
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
