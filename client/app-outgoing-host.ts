import { type ComponentType, createElement, useEffect, useState } from 'react';
import { useAuth } from './state/auth.ts';
import { whenIdle } from './state/when-idle.ts';

/**
 * What moves the signed-in person's queue while the app is open; what they look at comes first.
 * Visitors have no queue and do not load its database; the app stands without it if it cannot come.
 */
export function OutgoingHost() {
  const { isLoggedIn } = useAuth();
  const [Outgoing, setOutgoing] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!isLoggedIn) return;
    whenIdle(() => {
      import('./app-outgoing.tsx').then(
        (module) => setOutgoing(() => module.Outgoing),
        () => undefined,
      );
    });
  }, [isLoggedIn]);
  return isLoggedIn && Outgoing ? createElement(Outgoing) : null;
}
