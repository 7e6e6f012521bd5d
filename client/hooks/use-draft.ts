import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { readDraft } from '../db/drafts.ts';
import type { DraftFields, DraftRow, OutboxFailure } from '../db/tables.ts';
import { deviceState } from './device-state.ts';
import { type Beginning, createDraftForm, type DraftState } from './draft-form.ts';
import { useExternalStore } from './store.ts';

export interface DraftHandle extends DraftState {
  change: (fields: Partial<DraftFields>) => void;
  /**
   * Fills in fields that are still empty. A draft that is not stored yet is not stored by it:
   * whoever only looks leaves no draft behind.
   */
  suggest: (fields: Partial<DraftFields>) => void;
  /** Changes why the draft came back from the outbox; null once the reason is dismissed or mended. */
  leaveFailure: (rest: OutboxFailure | null) => void;
  /** Saves the draft now, changed or not: files need a stored draft. @returns whether it is saved */
  keep: () => Promise<boolean>;
  /** From now on this tab writes in it, and no other. */
  goOnHere: () => void;
  /** Whether the last save failed for want of room. */
  isFull: () => boolean;
  /** The draft for the outbox, or to be discarded; nothing is written after this. */
  take: () => DraftRow;
}

/**
 * A draft that is open in the form: restored, saved with every change, and followed when another
 * device or tab writes in it. One component instance for each draft: give it a key.
 * @param isNew whether a draft that the device does not know may begin here
 * @param begin what it begins with
 */
export function useDraft(id: string, isNew: boolean, begin: Beginning = {}): DraftHandle {
  const [form] = useState(() => createDraftForm(id, isNew, begin));
  const state = useExternalStore(form.store);
  const { losses } = useExternalStore(deviceState);
  const row = useLiveQuery(() => readDraft(id), [id, losses]);
  useEffect(() => form.open(), [form]);
  useEffect(() => {
    if (row !== undefined) form.onRow(row);
  }, [form, row]);
  return { ...state, ...form.actions };
}
