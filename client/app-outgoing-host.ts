import { type ComponentType, createElement, useEffect, useState } from 'react';
import { useAuth } from './state/auth.ts';
import { whenIdle } from './state/when-idle.ts';

/** Without it nothing leaves: a connection that was away for a moment must not stop it for good. */
const AGAIN_MS = 5_000;

/**
 * What moves the signed-in person's queue while the app is open; what they look at comes first.
 * Visitors have no queue and do not load its database; the app stands without it until it comes.
 */
export function OutgoingHost() {
  const { isLoggedIn } = useAuth();
  const [Outgoing, setOutgoing] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!isLoggedIn) return;
    let hasLeft = false;
    const load = () => {
      if (hasLeft) return;
      import('./app-outgoing.tsx').then(
        (module) => setOutgoing(() => module.Outgoing),
        () => setTimeout(load, AGAIN_MS),
      );
    };
    whenIdle(load);
    return () => {
      hasLeft = true;
    };
  }, [isLoggedIn]);
  return isLoggedIn && Outgoing ? createElement(Outgoing) : null;
}
