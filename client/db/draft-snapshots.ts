import { isGoneElsewhere, readSuccessor, saveDraft } from './drafts.ts';
import { patchOf, restoreSnapshots } from './snapshots.ts';
import { type DraftRow, EMPTY_DRAFT } from './tables.ts';

/** Moves the last keys of pages that are gone into this person's drafts. */
export function restoreDrafts(userId: string): Promise<void> {
  return restoreSnapshots<DraftRow>(userId, async (id, snapshot) => {
    const row = await readSuccessor(id);
    // Another device, which does not know these words, has sealed or discarded the draft.
    const isUnknown = !row && (await isGoneElsewhere(id));
    const patch = isUnknown ? snapshot : patchOf(snapshot, row);
    const { begun, takenAt } = snapshot;
    if (patch) await saveDraft({ ...begun, id, fields: EMPTY_DRAFT, updatedAt: takenAt }, patch);
  });
}
