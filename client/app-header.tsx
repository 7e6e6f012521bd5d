import { useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { site } from '../shared/site.ts';
import styles from './app-header.module.css';
import { LogoutButton } from './app-logout.tsx';
import { useAuth } from './state/auth.ts';
import { useExternalStore } from './state/external-store.ts';
import { outboxCount } from './state/outbox-count.ts';
import { MenuLines, X } from './ui/icon.tsx';
import { LogoMark } from './ui/logo-mark.tsx';

const VISITOR_LINKS = [
  { to: '/', text: 'Home' },
  { to: '/auth', text: 'Login' },
  { to: '/auth?register=true', text: 'Register' },
];
const MEMBER_LINKS = [
  { to: '/', text: 'Home' },
  { to: '/dashboard', text: 'Dashboard' },
  { to: '/create', text: 'Create Capsule' },
];

/** Stays at the top; on a phone its links come down as a sheet. */
export function Header() {
  const { isLoggedIn } = useAuth();
  const { pathname, search } = useLocation();
  const { count } = useExternalStore(outboxCount);
  const own =
    count > 0 ? [...MEMBER_LINKS, { to: '/outbox', text: `Outbox (${count})` }] : MEMBER_LINKS;
  const links = isLoggedIn ? own : VISITOR_LINKS;
  const here = pathname === '/auth' ? pathname + search : pathname;
  const { open, setOpen, root, toggle } = useSheet(pathname + search);
  const id = useId();
  const Mark = open ? X : MenuLines;

  return (
    <header className={styles.header} ref={root}>
      <div className={styles.bar}>
        <Link className={styles.brand} to="/" aria-label={`${site.name}, home`}>
          <LogoMark />
          {site.name}
        </Link>
        <button
          ref={toggle}
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <Mark size={22} aria-hidden="true" />
          <span className="visually-hidden">{open ? 'Close menu' : 'Open menu'}</span>
        </button>
        <nav id={id} className={styles.links} aria-label="Main" data-open={open}>
          <ul>
            {links.map(({ to, text }) => (
              <li key={to}>
                <Link
                  className={styles.link}
                  to={to}
                  aria-current={to === here ? 'page' : undefined}
                >
                  {text}
                </Link>
              </li>
            ))}
          </ul>
          {isLoggedIn && <LogoutButton />}
        </nav>
      </div>
    </header>
  );
}

/** The sheet closes when one goes somewhere, presses Escape, or touches or tabs to the page beside it. */
function useSheet(place: string) {
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === place;
  const root = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || document.querySelector('dialog[open]')) return;
      setOpenAt(null);
      toggle.current?.focus();
    };
    const onElsewhere = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest('dialog')) return;
      if (!root.current?.contains(target)) setOpenAt(null);
    };
    const closed = new AbortController();
    document.addEventListener('keydown', onKeyDown, closed);
    document.addEventListener('pointerdown', onElsewhere, closed);
    document.addEventListener('focusin', onElsewhere, closed);
    return () => closed.abort();
  }, [open]);

  return { open, setOpen: (next: boolean) => setOpenAt(next ? place : null), root, toggle };
}
