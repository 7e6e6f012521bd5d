import { useEffect } from 'react';
import { announceUnauthorized } from './http/unauthorized.ts';
import type { Trouble } from './local/engine.ts';
import { stopAwaiting } from './state/awaited.ts';
import { deviceState } from './state/device-state.ts';
import { useExternalStore } from './state/external-store.ts';
import { install } from './state/install.ts';
import { useOutbox } from './state/outbox.ts';
import { outboxCount } from './state/outbox-count.ts';
import { startSending } from './state/outgoing.ts';
import { useOwner } from './state/person.ts';
import { type Salvaged, useSalvage } from './state/salvage.ts';
import { useUnreadable } from './state/unreadable.ts';
import { onDelivered } from './sync/delivery-news.ts';
import { setBadge } from './sync/set-badge.ts';
import { toasts } from './ui/toast.tsx';

/** The message that asks for it, until somebody has signed in. */
let signInAgain = 0;

/** Sends the person's queue, tells of what was sealed, and counts what waits. Shows nothing. */
export function Outgoing() {
  const owner = useOwner();
  const unreadable = useUnreadable(owner, 'capsule').length;
  const count = (useOutbox(owner)?.length ?? 0) + unreadable;
  const { trouble } = useExternalStore(deviceState);
  useSalvage(owner, (what) => toasts.failure(salvagedText(what)));

  useEffect(() => outboxCount.set({ count }), [count]);
  useEffect(() => () => outboxCount.set({ count: 0 }), []);
  useEffect(() => {
    if (owner === null) return;
    const stopListening = onDelivered((news) => {
      if (news.owner !== owner) return;
      install.set({ hasSealed: true });
      toasts.success(
        stopAwaiting(news)
          ? 'Time capsule created successfully!'
          : `“${news.title}” has been sealed.`,
      );
    });
    toasts.dismiss(signInAgain);
    const stopSending = startSending(owner, {
      onSignedOut: () => {
        signInAgain = toasts.failure(SIGN_IN_AGAIN);
        announceUnauthorized();
      },
      onNoRoom: () => toasts.failure(NO_ROOM),
    });
    return () => {
      stopSending();
      stopListening();
    };
  }, [owner]);
  useEffect(() => {
    if (owner === null || !('setAppBadge' in navigator)) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      import('./state/app-badge.ts')
        .then(({ keepBadge }) => keepBadge(owner, leaving.signal))
        .catch(() => undefined);
    }, BADGE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
      setBadge(0);
    };
  }, [owner]);
  useEffect(() => {
    if (trouble === null) return;
    const reload = { label: 'Reload', run: () => location.reload() };
    if (trouble === 'unavailable') toasts.failure(TROUBLE[trouble]);
    else toasts.offer(TROUBLE[trouble], reload);
  }, [trouble]);
  // Leaving would lose what waits in this page's memory alone: the browser asks first.
  useEffect(() => {
    if (trouble === null || count === 0) return;
    const leaving = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', leaving);
    return () => window.removeEventListener('beforeunload', leaving);
  }, [trouble, count]);
  return null;
}

/** Nobody looks at the icon while the page starts: its badge comes after everything else. */
const BADGE_AFTER_MS = 2_000;

const SIGN_IN_AGAIN = 'Please sign in again. What you sealed is kept on this device until then.';

const NO_ROOM =
  'This device is full: what waits in your outbox cannot be sent. Please free some space.';

const TROUBLE: Record<Trouble, string> = {
  newer:
    'A newer version of Time Capsule has used this device. Everything is still there, but this page cannot reach it and keeps nothing. Please reload.',
  held: 'Time Capsule is open in another tab in an older version. Close that tab, then reload this one. Until then this page keeps nothing on this device.',
  unavailable:
    'This browser lets Time Capsule keep nothing on this device. You can use it online; drafts and unsent capsules are gone when this page is closed.',
};

function salvagedText({ texts, files }: Salvaged): string {
  const sentences = ['The browser has deleted what Time Capsule kept on this device.'];
  if (texts.length > 0) sentences.push('The texts of your drafts and unsent capsules are back.');
  if (files.length > 0) {
    const names = files.map((name) => `“${name}”`).join(', ');
    sentences.push(`Files could not be saved, please add them again: ${names}.`);
  }
  return sentences.join(' ');
}
