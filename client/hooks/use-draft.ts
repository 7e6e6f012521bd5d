import { useState } from 'react';
import { readDraft } from '../db/drafts.ts';
import { type Beginning, createDraftForm } from './draft-form.ts';
import { useRowForm } from './use-row-form.ts';

export type DraftHandle = ReturnType<typeof useDraft>;

/**
 * A draft that is open in the form. One component instance for each draft: give it a key.
 * @param isNew whether a draft that the device does not know may begin here
 * @param begin what it begins with
 */
export function useDraft(id: string, isNew: boolean, begin: Beginning = {}) {
  const [form] = useState(() => createDraftForm(id, isNew, begin));
  const { row: draft, ...state } = useRowForm(form, () => readDraft(id));
  return { draft, ...state, ...form.actions };
}
