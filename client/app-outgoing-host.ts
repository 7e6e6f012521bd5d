import { type ComponentType, createElement, lazy, Suspense } from 'react';
import { useAuth } from './state/auth.ts';

/** Visitors have no queue and do not load its database; the app stands without it if it cannot come. */
const Host = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import('./app-outgoing.tsx')).Outgoing };
  } catch {
    return { default: () => null };
  }
});

/** What moves the signed-in person's queue while the app is open. */
export function OutgoingHost() {
  const { isLoggedIn } = useAuth();
  return isLoggedIn ? createElement(Suspense, null, createElement(Host)) : null;
}
