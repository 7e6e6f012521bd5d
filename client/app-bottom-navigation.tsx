import { Link, useLocation } from 'react-router-dom';
import styles from './app-bottom-navigation.module.css';
import { useAuth } from './state/auth.ts';
import { LayoutGrid, Plus, User } from './ui/icon.tsx';

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
          className={styles.place}
          to={to}
          aria-current={to === pathname ? 'page' : undefined}
        >
          <Mark size={22} aria-hidden="true" />
          {text}
        </Link>
      ))}
    </nav>
  );
}
