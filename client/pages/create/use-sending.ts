import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { toasts } from '../../components/toast.tsx';
import type { OutboxRow } from '../../db/tables.ts';
import { editItem, stopAwaiting } from '../../hooks/use-outbox.ts';

/**
 * Follows the capsule that was just queued: to the dashboard when it is sealed or has to wait,
 * back into the form when the server refuses it.
 */
export function useSending(item: OutboxRow | null | undefined): void {
  const navigate = useNavigate();
  const seen = useRef(false);
  const left = useRef(false);

  useEffect(() => {
    if (item) seen.current = true;
    if (item === undefined || !seen.current || left.current || (item && isOnItsWay(item))) return;
    left.current = true;
    if (item === null) navigate('/dashboard', { replace: true });
    else if (comesBack(item))
      void backToForm(item)
        // A full device can't take it back: it waits there, and says why.
        .catch(() => '/outbox')
        // Its address may be the one that stands here: the form begins anew all the same.
        .then((to) => navigate(to, { replace: true, state: { reopenedAt: Date.now() } }));
    else {
      stopAwaiting(item);
      toasts.success(keptText(item));
      navigate('/dashboard', { replace: true });
    }
  }, [item, navigate]);
}

function isOnItsWay({ state }: OutboxRow): boolean {
  return state === 'sending' || (state === 'queued' && navigator.onLine);
}

function comesBack({ state }: OutboxRow): boolean {
  return state === 'needs-fix' || state === 'storage-full';
}

/** Turns the item back into a draft. @returns the draft's address, or the outbox if it may have arrived */
async function backToForm(item: OutboxRow): Promise<string> {
  stopAwaiting(item);
  const draftId = await editItem(item);
  return draftId === null ? '/outbox' : `/create?draft=${draftId}`;
}

function keptText({ state, failure }: OutboxRow): string {
  const kept = 'Waiting to be sent. Saved on this device.';
  if (state === 'needs-sign-in') return `${kept} Sign in and we'll send it.`;
  if (failure === null || failure.code === 'NETWORK_ERROR') {
    return `${kept} We'll send it as soon as there's a connection.`;
  }
  return `${kept} We'll try again. ${failure.message}`;
}
