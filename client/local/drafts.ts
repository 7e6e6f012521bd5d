import { removal } from './abandoned.ts';
import { chunkTables } from './chunks.ts';
import { type DraftFields, type DraftRow, db } from './db.ts';
import { readFiles, removeFilesOf } from './kept-files.ts';
import { readKnownPerson } from './owner.ts';
import { isDraft } from './rows.ts';

export const EMPTY_DRAFT: DraftFields = {
  title: '',
  description: '',
  recipients: [],
  dateToUnlock: '',
  notifyRecipient: false,
  personalMessage: '',
};

export async function readDraft(owner: string, id: string): Promise<DraftRow | null> {
  const row = await db.drafts.get([owner, id]);
  return isDraft(row) ? row : null;
}

/** What has become of a draft that was to be saved. */
export type SaveResult =
  /** It stands like this now: `others` names the fields that another tab has changed meanwhile. */
  | { kind: 'saved'; draft: DraftRow; others: (keyof DraftFields)[] }
  /**
   * Another tab has sealed it, and its words change no more; or its person has signed out, and
   * this device takes in nothing of theirs.
   */
  | { kind: 'closed' };

/**
 * Saves a draft; also when the session has ended meanwhile: nothing typed is lost to that. But
 * once a person has signed out, in another tab perhaps, nothing of theirs comes back.
 * @param base the draft as this tab last read or saved it. Where another tab has saved since,
 * each keeps the fields it has changed; in a field that both changed the last one wins.
 */
export async function saveDraft(draft: DraftRow, base?: DraftRow | null): Promise<SaveResult> {
  return db.transaction('rw', db.drafts, db.outbox, db.meta, async (): Promise<SaveResult> => {
    const key: [string, string] = [draft.owner, draft.id];
    if ((await readKnownPerson()) !== draft.owner) return { kind: 'closed' };
    if (await db.outbox.get(key)) return { kind: 'closed' };
    const stored: unknown = base ? await db.drafts.get(key) : undefined;
    const isOthers = base && isDraft(stored) && stored.updatedAt !== base.updatedAt;
    const merged = isOthers ? mergeDrafts(base, draft, stored) : { draft, others: [] };
    await db.drafts.put(merged.draft);
    return { kind: 'saved', ...merged };
  });
}

/** What `mine` and `theirs` have made of `base`, field by field. */
export function mergeDrafts(base: DraftRow, mine: DraftRow, theirs: DraftRow) {
  const names = Object.keys(EMPTY_DRAFT) as (keyof DraftFields)[];
  const others = names.filter((name) => !isSame(theirs.fields[name], base.fields[name]));
  const taken = others.filter((name) => isSame(mine.fields[name], base.fields[name]));
  const fields = Object.fromEntries(taken.map((name) => [name, theirs.fields[name]]));
  const updatedAt = Math.max(mine.updatedAt, theirs.updatedAt + 1);
  return { draft: { ...mine, updatedAt, fields: { ...mine.fields, ...fields } }, others };
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Removes a draft with its files, of which the server may have heard before. */
export async function discardDraft({ owner, id }: Pick<DraftRow, 'owner' | 'id'>): Promise<void> {
  const tables = [db.drafts, db.outbox, db.files, db.abandoned, ...chunkTables()];
  await removal((note) =>
    db.transaction('rw', tables, async () => {
      await db.drafts.delete([owner, id]);
      // Another tab has sealed it while the person was asked: the files are the capsule's.
      if (await db.outbox.get([owner, id])) return;
      await note(await readFiles(owner, id));
      await removeFilesOf(owner, id);
    }),
  );
}
