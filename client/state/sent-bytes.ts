import type { OutboxRow } from '../local/db.ts';
import { createExternalStore } from './external-store.ts';

/** Bytes of the files of each item that have left; only while this page sends. */
export const sentBytes = createExternalStore<{ byId: Readonly<Record<string, number>> }>({
  byId: {},
});

/** How far an item has come, in whole percent. */
export function percentOf(item: OutboxRow, byId: Readonly<Record<string, number>>): number {
  const { totalBytes, state } = item;
  if (state !== 'sending') return 0;
  if (totalBytes === 0) return 100;
  const sent = Math.max(byId[item.id] ?? 0, item.sentBytes);
  return Math.min(100, Math.round((sent / totalBytes) * 100));
}
