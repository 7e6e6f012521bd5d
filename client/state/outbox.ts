import type { DraftRow, OutboxRow } from '../local/db.ts';
import { readDrafts, readItem, readOutbox } from '../local/waiting.ts';
import { useLocal } from './use-local.ts';

type Key = Pick<OutboxRow, 'owner' | 'id'>;

/** Undefined until it is known whose device it is, and the device has been asked. */
export function useOutbox(owner: string | null): OutboxRow[] | undefined {
  return useLocal(async () => (owner === null ? undefined : readOutbox(owner)), [owner], []);
}

/** Null when it is not in the outbox (any more). */
export function useOutboxItem({ owner, id }: Key): OutboxRow | null | undefined {
  return useLocal(() => readItem(owner, id), [owner, id], null);
}

export function useDrafts(owner: string | null): DraftRow[] | undefined {
  return useLocal(async () => (owner === null ? [] : readDrafts(owner)), [owner], []);
}
