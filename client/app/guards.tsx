import { useEffect, useRef, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { NoStorage } from '../components/no-storage.tsx';
import { toasts } from '../components/toast.tsx';
import { deviceState } from '../hooks/device-state.ts';
import { useExternalStore } from '../hooks/store.ts';
import { useContact } from '../hooks/use-contact.ts';
import { hasLinkToken } from '../hooks/use-link-token.ts';
import {
  forgetWantedPage,
  invitedPage,
  rememberWantedPage,
  sessionEnd,
  useAuth,
  wantedPage,
} from '../hooks/use-session.ts';
import styles from './app.module.css';

/** The message that offers to sign in, while it is shown. */
let offer: number | null = null;

/**
 * Shows its pages to signed-in people and sends visitors to the home page; the server checks every
 * call itself. A visitor who followed a link to a capsule gets there once they sign in. Others are
 * told to sign in, and a person whose session has ended that it has. Where this device stores nothing,
 * that stands in place of any page.
 */
export function RequireSignIn() {
  const { isLoggedIn } = useAuth();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // When a session ends on this page, main.tsx has remembered the address already.
  const [cameSignedIn] = useState(isLoggedIn);
  const { trouble, queued } = useExternalStore(deviceState);
  const unsent = useRef(0);
  // With the session the outbox is closed, and nothing is known of it any more.
  if (isLoggedIn) unsent.current = queued;

  useEffect(() => {
    if (isLoggedIn) {
      forgetWantedPage();
      if (offer !== null) toasts.dismiss(offer);
      offer = null;
      return;
    }
    if (!cameSignedIn) rememberWantedPage(pathname + search);
    const end = sessionEnd(cameSignedIn);
    // Of a capsule, the home page says so itself; and who has just signed out knows it.
    if (end === null && (cameSignedIn || search.includes('capsule='))) return;
    const why = end ? SIGNED_OUT[end] : 'Please sign in first.';
    offer = toasts.offer(end && unsent.current > 0 ? UNSENT : why, {
      label: 'Sign in',
      run: () => void navigate('/auth'),
    });
  }, [isLoggedIn, cameSignedIn, pathname, search, navigate]);

  useProviderNews();
  if (!isLoggedIn) return <Navigate to="/" replace />;
  return trouble === null ? (
    <Outlet />
  ) : (
    <div className={`stack gap-16 to-start ${styles.failure}`}>
      <NoStorage why={trouble} />
    </div>
  );
}

const SIGNED_OUT = {
  refused:
    "You've been signed out. Perhaps it's been a while, your password changed, or this device was signed out elsewhere. Please sign in again.",
  elsewhere: "You've been signed out. Please sign in again.",
};

const UNSENT = 'Please sign in again. Your unsent capsules are saved on this device until then.';

/** Says what came of a journey to the identity provider, once: the address has it until then. */
function useProviderNews() {
  const site = useContact();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const code = new URLSearchParams(search).get('provider');
  useEffect(() => {
    if (code === null) return;
    navigate(pathname, { replace: true });
    void import('../hooks/provider-news.ts').then(({ goodNews, badNews }) => {
      const good = goodNews(code, site);
      if (good) toasts.success(good);
      else toasts.failure(badNews(code, site));
    });
  }, [code, pathname, site, navigate]);
}

const NOT_SAVED = "We couldn't save what you shared. Please try again, or share less of it.";
const NOT_INVITED =
  "You're signed in already. To accept an invitation for another address, sign out first.";

/** Sends signed-in people on from the sign-in screen, also at the moment in which they sign in. */
export function RedirectSignedIn() {
  const { isLoggedIn } = useAuth();
  const location = useLocation();
  const { search } = location;
  const query = new URLSearchParams(search);
  // The worker could not save what was shared.
  const [isShareLost] = useState(isLoggedIn && search === '?shared');
  // Most likely they press the link of their own email once more.
  const [isInvited] = useState(isLoggedIn && hasLinkToken(location, 'invitation'));
  useEffect(() => {
    if (isShareLost) toasts.failure(NOT_SAVED);
    if (isInvited) toasts.success(NOT_INVITED);
  }, [isShareLost, isInvited]);
  if (!isLoggedIn) return <Outlet />;
  return <Navigate to={isInvited ? invitedPage(query) : wantedPage()} replace />;
}
