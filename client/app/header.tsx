import { useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { Button } from '../components/button.tsx';
import { confirm } from '../components/confirm.tsx';
import { CloudOff, LogOut, MenuLines, X } from '../components/icon.tsx';
import { LogoMark } from '../components/seal.tsx';
import { siteName } from '../components/site-name.ts';
import { toasts } from '../components/toast.tsx';
import { deviceState, useOnline } from '../hooks/device-state.ts';
import type { Unsent } from '../hooks/sign-out.ts';
import { useExternalStore } from '../hooks/store.ts';
import { useAuth } from '../hooks/use-session.ts';
import styles from './header.module.css';

interface MainLink {
  to: string;
  text: string;
  isExtra?: boolean;
}

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
/** Only where the links come down as a sheet. */
const SHEET_LINKS = [
  { to: '/profile', text: 'Profile', isExtra: true },
  { to: '/help', text: 'Help', isExtra: true },
];

/** Stays at the top; on a phone its links come down as a sheet. */
export function Header() {
  const { isLoggedIn } = useAuth();
  const { pathname, search } = useLocation();
  const { queued } = useExternalStore(deviceState);
  const own =
    queued > 0 ? [...MEMBER_LINKS, { to: '/outbox', text: `Outbox (${queued})` }] : MEMBER_LINKS;
  const links: MainLink[] = isLoggedIn ? [...own, ...SHEET_LINKS] : VISITOR_LINKS;
  const here = pathname === '/auth' ? pathname + search : pathname;
  const { open, setOpen, root, toggle } = useSheet(pathname + search);
  const online = useOnline();
  const id = useId();
  const Mark = open ? X : MenuLines;

  return (
    <header className={`line-below ${styles.header}`} ref={root}>
      <div className={`page-width row middle gap-16 spread ${styles.bar}`}>
        <Link
          className={`row middle gap-12 narrows target ${styles.brand}`}
          to="/"
          aria-label={`${siteName()}, home`}
        >
          <LogoMark />
          {siteName()}
        </Link>
        {!online && (
          // The note below the header says it in a sentence, and to screen readers, until it is
          // scrolled away.
          <CloudOff className="rigid at-end quiet" size={18} />
        )}
        <button
          ref={toggle}
          type="button"
          className={`centre rigid square rounded ${styles.toggle}`}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <Mark size={22} />
          <span className="visually-hidden">{open ? 'Close menu' : 'Open menu'}</span>
        </button>
        <nav
          id={id}
          className={`row middle gap-8 ${styles.links}`}
          aria-label="Main"
          data-open={open}
        >
          <ul className="row middle gap-8">
            {links.map(({ to, text, isExtra }) => (
              <li key={to} className={isExtra ? styles.extra : undefined}>
                <Link
                  className={`row middle target quiet wakes strong rounded ${styles.link}`}
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

/** The sheet closes on a navigation, on Escape, and when the page beside it is touched or focused. */
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

function LogoutButton() {
  const navigate = useNavigate();
  const [step, setStep] = useState<'finding out' | 'leaving' | null>(null);

  const leave = async (offline: boolean): Promise<void> => {
    setStep('finding out');
    try {
      // Loaded here, because it loads the database's code, which no visitor needs.
      const { countOf, signOut, signOutOffline, unsentWork } = await import('../hooks/sign-out.ts');
      const wasOnline = navigator.onLine;
      const work = await unsentWork();
      setStep(null);
      if (!(await askToLeave(work, offline))) return;
      setStep('leaving');
      // Meanwhile the connection may have come back, or another tab begun something.
      const isBack = !wasOnline && navigator.onLine;
      const isMore = work !== null && countOf(await unsentWork(false)) > countOf(work);
      if (isBack || isMore) return leave(offline && !isBack);
      await (offline ? signOutOffline() : signOut());
      navigate('/');
    } catch (error) {
      reportError(error);
      setStep(null);
      // `navigator.onLine` is true on a network that leads nowhere, too.
      const isUnreachable = !offline && Object(error).code === 'NETWORK_ERROR';
      toasts.failure(
        'Unable to logout due to technical issues. Please try again.',
        isUnreachable ? { label: 'Sign out anyway', run: () => leave(true) } : undefined,
      );
    }
  };

  return (
    <Button
      icon={LogOut}
      busy={step !== null}
      busyLabel={step === 'leaving' ? 'Logging out...' : 'Logout'}
      onClick={() => leave(!navigator.onLine)}
    >
      Logout
    </Button>
  );
}

const OFFLINE =
  "You're offline. Everything of yours is deleted from this device now, and your session ends on the server as soon as there's a connection.";

const UNKNOWN =
  "This page can't see what's saved on this device. Drafts and unsent capsules may be deleted, or may stay here.";

/** @returns whether the person goes on, knowing what it costs */
function askToLeave(work: Unsent | null, offline: boolean): Promise<boolean> {
  const unsent = work === null ? UNKNOWN : unsentText(work);
  const more = `${offline ? OFFLINE : ''} ${unsent} ${work ? backText(work) : ''}`.trim();
  const yes = work === null || unsent === '' ? 'Sign out' : `Sign out and delete ${them(work)}`;
  const options = more === '' ? {} : { danger: unsent !== '', yes, no: 'Stay signed in', more };
  return confirm('Sign out?', 'Are you sure you want to logout?', options);
}

const them = ({ drafts, queued, profile }: Unsent) =>
  drafts + queued === 1 && !profile ? 'it' : 'them';

/** What would be deleted, in words; empty when there is nothing. */
function unsentText(work: Unsent): string {
  const { drafts, queued, profile } = work;
  const sentences = [];
  if (queued === 1) sentences.push('1 capsule is waiting to be sent.');
  if (queued > 1) sentences.push(`${queued} capsules are waiting to be sent.`);
  if (drafts === 1) sentences.push("1 draft isn't fully saved to your account.");
  if (drafts > 1) sentences.push(`${drafts} drafts aren't fully saved to your account.`);
  if (profile) sentences.push("Your changes to your profile aren't saved.");
  if (sentences.length > 0) sentences.push('Signing out deletes what is only on this device.');
  return sentences.join(' ');
}

/** What would come back at the next sign-in, in words; empty when there is nothing. */
function backText({ discarded }: Unsent): string {
  if (discarded === 0) return '';
  const drafts = discarded === 1 ? '1 discarded draft' : `${discarded} discarded drafts`;
  return `${drafts} will come back, because your account doesn't know yet.`;
}
