import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { toasts } from '../components/toast.tsx';
import {
  forgetWantedPage,
  hasSessionEnded,
  rememberWantedPage,
  useAuth,
  wantedPage,
} from '../hooks/use-session.ts';

/** The message that offers to sign in, while it is shown. */
let offer: number | null = null;

/**
 * A visitor is led home. The server checks every call itself. Whoever followed a link to a
 * capsule is led on to it by their sign-in; whose session has ended is told so.
 */
export function RequireSignIn() {
  const { isLoggedIn } = useAuth();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  // A session that ends while one is here is remembered by who hears of it, see main.tsx.
  const [cameSignedIn] = useState(isLoggedIn);

  useEffect(() => {
    if (isLoggedIn) {
      forgetWantedPage();
      if (offer !== null) toasts.dismiss(offer);
      offer = null;
      return;
    }
    if (!cameSignedIn) rememberWantedPage(pathname + search);
    const wantsCapsule = /[?&]capsule=/.test(wantedPage());
    if (!wantsCapsule && !hasSessionEnded()) return;
    const text = wantsCapsule
      ? 'Sign in to see this capsule.'
      : "You've been signed out. Please sign in again.";
    offer = toasts.offer(text, { label: 'Sign in', run: () => void navigate('/auth') });
  }, [isLoggedIn, cameSignedIn, pathname, search, navigate]);

  return isLoggedIn ? <Outlet /> : <Navigate to="/" replace />;
}

/** Who is signed in has no business at the sign-in screen; a sign-in leads on from here too. */
export function RedirectSignedIn() {
  const { isLoggedIn } = useAuth();
  const { search } = useLocation();
  // The worker found nobody to keep it for, where the database could not be written.
  const [isShareLost] = useState(isLoggedIn && search === '?shared');
  useEffect(() => {
    if (isShareLost) toasts.failure("We couldn't save what you shared. Please try again.");
  }, [isShareLost]);
  return isLoggedIn ? <Navigate to={wantedPage()} replace /> : <Outlet />;
}
