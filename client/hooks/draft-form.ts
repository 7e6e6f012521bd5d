import { useState } from 'react';
import { readDraft, readSuccessor, saveDraft } from '../db/drafts.ts';
import { noteOpenDraft } from '../db/due.ts';
import { mergeFields } from '../db/merge-draft.ts';
import { type DraftFields, type DraftRow, EMPTY_DRAFT } from '../db/tables.ts';
import { askNow } from '../sync/scheduler.ts';
import { createRowForm, useRowForm } from './row-form.ts';
import { askAccount } from './use-account-drafts.ts';
import { readFlag } from './use-session.ts';

/** Somebody who goes from field to field looks at the same words. */
const ASK_AGAIN_MS = 4_000;

export type DraftHandle = ReturnType<typeof useDraft>;

/**
 * A draft that is open in the form. One component instance for each draft: give it a key.
 * @param isNew whether a draft that the device does not know may begin here
 * @param begun as it was read when the form before it was left: no key falls between the two
 */
export function useDraft(id: string, isNew: boolean, begun: DraftRow | null) {
  const [form] = useState(() => createDraftForm(id, isNew, begun));
  const { row: draft, ...state } = useRowForm(form, () => readDraft(id));
  return { draft, ...state, ...form.actions };
}

/** The form of one draft. */
export function createDraftForm(id: string, isNew: boolean, begun: DraftRow | null = null) {
  const form = createRowForm<DraftFields, DraftRow>({
    begun: { id, fields: EMPTY_DRAFT, files: [], updatedAt: Date.now() },
    isNew,
    merge: mergeFields,
    save: saveDraft,
    whenGone: async () => {
      const next = await readSuccessor(id);
      return next?.id === id ? null : { goesOnAs: next };
    },
    mayLeave: () => readFlag(),
  });
  const { store } = form;
  const { change } = form.actions;
  let askedAt = -Infinity;
  if (begun?.id === id) form.onRow(begun);

  /** Another device may have written since somebody has last looked at this text. */
  function onFocus({ target }: Event): void {
    const isText = !(target instanceof Element) || target.matches('input, textarea');
    if (!isText || !store.get().row.account || Date.now() - askedAt < ASK_AGAIN_MS) return;
    askedAt = Date.now();
    askAccount();
  }

  return {
    ...form,
    open: () => {
      window.addEventListener('focus', onFocus);
      document.addEventListener('focusin', onFocus);
      const noteClosed = noteOpenDraft();
      // From now on it's asked more often.
      askNow();
      const close = form.open();
      return () => {
        window.removeEventListener('focus', onFocus);
        document.removeEventListener('focusin', onFocus);
        noteClosed();
        close();
      };
    },
    actions: {
      ...form.actions,
      /**
       * Fills in fields that are still empty. A draft that is not stored yet is not stored by it:
       * whoever only looks leaves no draft behind.
       */
      suggest: (fields: Partial<DraftFields>) => {
        const { row, savedAt, isBehind } = store.get();
        const isFree = (name: string) => !Object(row.fields)[name]?.length;
        const free = Object.fromEntries(Object.entries(fields).filter(([name]) => isFree(name)));
        if (form.isTaken() || Object.keys(free).length === 0) return;
        if (savedAt !== null || isBehind) change(free);
        else store.set({ row: { ...row, fields: { ...row.fields, ...free } } });
      },
    },
  };
}
