import { isGoneElsewhere } from './draft-sync.ts';
import { readDraft, readSuccessor, saveDraft } from './drafts.ts';
import { type Adding, type DraftFields, type DraftRow, EMPTY_DRAFT, randomUuid } from './tables.ts';
import { deviceStorage } from './web-storage.ts';

/*
 * The last keys before a page goes. A write to IndexedDB that begins then may not end; a write to
 * localStorage does, and the next page moves it into the draft before any screen reads it.
 */

export interface DraftSnapshot {
  userId: string;
  /** Only what was not written to the draft. */
  fields: Partial<DraftFields>;
  /** What stood there before, as in {@link DraftPatch}; absent in snapshots of older versions. */
  base?: Partial<DraftFields> | undefined;
  /** What was being written when the page went. It may stand there instead. */
  written?: Partial<DraftFields> | undefined;
  /** The draft was never written: a missing row does not mean that it was sealed or discarded. */
  isNew: boolean;
  takenAt: number;
  /** Of a contribution. */
  adding?: Adding | undefined;
}

const PREFIX = 'draft:';

/** Where storage is full or forbidden, the write to IndexedDB that has begun may still succeed. */
export function writeSnapshot(draftId: string, snapshot: DraftSnapshot): void {
  deviceStorage.write(PREFIX + draftId, JSON.stringify(snapshot));
}

export function removeSnapshot(draftId: string): void {
  deviceStorage.write(PREFIX + draftId, null);
}

/** Whether a key of localStorage names a snapshot. */
export function isSnapshotKey(key: string): boolean {
  return key.startsWith(PREFIX);
}

/** The ids of drafts that pages have left a snapshot of. */
export function snapshotIds(): string[] {
  try {
    const names = Object.keys(localStorage).filter(isSnapshotKey);
    return names.map((name) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Moves this person's snapshots into their drafts. */
export async function restoreSnapshots(userId: string): Promise<void> {
  for (const id of snapshotIds()) {
    const snapshot = readSnapshot(id);
    if (snapshot && snapshot.userId !== userId) continue;
    if (snapshot) await restore(id, snapshot);
    removeSnapshot(id);
  }
}

/** Removes this person's snapshots; another person's wait for them. */
export function removeSnapshotsOf(userId: string): void {
  for (const id of snapshotIds()) {
    if (readSnapshot(id)?.userId === userId) removeSnapshot(id);
  }
}

function readSnapshot(draftId: string): DraftSnapshot | null {
  return deviceStorage.readJson(PREFIX + draftId) as DraftSnapshot | null;
}

async function restore(id: string, snapshot: DraftSnapshot): Promise<void> {
  const { fields, base, written, isNew, takenAt, adding } = snapshot;
  const row = (await readDraft(id)) ?? (await readSuccessor(id));
  const isWanted = row ? base !== undefined || takenAt > row.updatedAt : isNew;
  const draft: Omit<DraftRow, 'files'> = {
    ...{ id: row?.id ?? id, fields: EMPTY_DRAFT, updatedAt: takenAt },
    ...(adding && { adding, onlyHere: true }),
  };
  if (isWanted) {
    const isThere = ([name, text]: [string, unknown]) => Object(row?.fields)[name] === text;
    const arrived = Object.fromEntries(Object.entries(written ?? {}).filter(isThere));
    await saveDraft(draft, { fields, base: base && { ...base, ...arrived } });
  }
  // It was sealed or discarded on another device, which does not know these words.
  else if (!row && (await isGoneElsewhere(id)))
    await saveDraft({ ...draft, id: randomUuid() }, { fields });
}
