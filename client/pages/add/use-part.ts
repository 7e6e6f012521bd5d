import { useState } from 'react';
import { CONTRIBUTORS, mergePart, readContribution, savePart } from '../../db/contributions.ts';
import type { ContributionRow } from '../../db/tables.ts';
import { createRowForm, useRowForm } from '../../hooks/row-form.ts';

export type PartHandle = ReturnType<typeof usePart>;

/** A contribution that is open in the form. @param begin as it begins, where `isNew` says that it may */
export function usePart(begin: () => ContributionRow, isNew: boolean) {
  const [form] = useState(() =>
    createRowForm({
      ...{ begun: begin(), isNew, merge: mergePart, save: savePart },
      alone: ({ known: _, sent: __, ...row }) => ({ ...row, files: [] }),
      mayLeave: (userId) => userId === CONTRIBUTORS,
    }),
  );
  const { id } = form.store.get().row;
  const state = useRowForm(form, async () => (await readContribution(id))?.row ?? null);
  return { ...state, ...form.actions };
}
