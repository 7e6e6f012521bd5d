import { Navigate, Outlet } from 'react-router-dom';
import { useAuth } from './state/auth.ts';

/** A visitor is led home. The server checks every call itself. */
export function RequireSignIn() {
  return useAuth().isLoggedIn ? <Outlet /> : <Navigate to="/" replace />;
}

/** Who is signed in has no business at the sign-in screen. */
export function RedirectSignedIn() {
  return useAuth().isLoggedIn ? <Navigate to="/dashboard" replace /> : <Outlet />;
}
