import type { OutboxRow } from '../db/tables.ts';
import { createExternalStore, useExternalStore } from './external-store.ts';

/** Bytes of the files of each item that have left; only while this page sends. */
export const sentBytes = createExternalStore<{ byId: Readonly<Record<string, number>> }>({
  byId: {},
});

export interface Progress {
  /** Of the files, in bytes. */
  sent: number;
  /** How far the item has come, 0 to 100. */
  percent: number;
}

/**
 * How far an item has come. It is news several times a second: whoever asks for it should be
 * small, for all of it is rendered each time.
 */
export function useProgress(item: OutboxRow | null | undefined): Progress {
  const { byId } = useExternalStore(sentBytes);
  if (!item) return { sent: 0, percent: 0 };
  const { id, totalBytes, state } = item;
  const sent = Math.min(totalBytes, Math.max(byId[id] ?? 0, item.sentBytes));
  if (state !== 'sending') return { sent, percent: 0 };
  return { sent, percent: totalBytes === 0 ? 100 : Math.round((sent / totalBytes) * 100) };
}
