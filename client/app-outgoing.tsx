import { useEffect } from 'react';
import { announceUnauthorized } from './http/unauthorized.ts';
import { useOutbox } from './state/outbox.ts';
import { outboxCount } from './state/outbox-count.ts';
import { startSending, wasAwaited } from './state/outgoing.ts';
import { useOwner } from './state/person.ts';
import { onDelivered } from './sync/delivery-news.ts';
import { toasts } from './ui/toast.tsx';

/** Sends the person's queue, tells of what was sealed, and counts what waits. Shows nothing. */
export function Outgoing() {
  const owner = useOwner();
  const count = useOutbox(owner)?.length ?? 0;

  useEffect(() => outboxCount.set({ count }), [count]);
  useEffect(() => () => outboxCount.set({ count: 0 }), []);
  useEffect(() => {
    if (owner === null) return;
    const stopListening = onDelivered((news) => {
      if (news.owner !== owner) return;
      toasts.success(
        wasAwaited(news)
          ? 'Time capsule created successfully!'
          : `“${news.title}” has been sealed.`,
      );
    });
    const stopSending = startSending(owner, () => {
      toasts.failure('Please sign in again. What you sealed is kept on this device until then.');
      announceUnauthorized();
    });
    return () => {
      stopSending();
      stopListening();
    };
  }, [owner]);
  return null;
}
