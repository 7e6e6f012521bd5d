import { isGoneElsewhere, readDraft, readSuccessor, saveDraft } from './drafts.ts';
import { patchOf, restoreSnapshots } from './snapshots.ts';
import { type DraftRow, EMPTY_DRAFT, randomUuid } from './tables.ts';

/** Moves the last keys of pages that are gone into this person's drafts. */
export function restoreDrafts(userId: string): Promise<void> {
  return restoreSnapshots<DraftRow>(userId, async (id, snapshot) => {
    const row = (await readDraft(id)) ?? (await readSuccessor(id));
    const patch = patchOf(snapshot, row);
    const { begun, fields, takenAt } = snapshot;
    const draft = { ...begun, id: row?.id ?? id, fields: EMPTY_DRAFT, updatedAt: takenAt };
    if (patch) await saveDraft(draft, patch);
    // It was sealed or discarded on another device, which does not know these words.
    else if (!row && (await isGoneElsewhere(id)))
      await saveDraft({ ...draft, id: randomUuid() }, { fields });
  });
}
