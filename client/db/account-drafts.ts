import { readAttachments } from './attachments.ts';
import { db } from './database.ts';
import { type DraftRow, type DraftSyncRow, type GoneDraftRow, randomUuid } from './tables.ts';

/* What this device stores about the drafts of the account. */

/** Bytes of these files are on another device only. */
export class FilesElsewhereError extends Error {
  override readonly name = 'FilesElsewhereError';
  readonly fileNames: readonly string[];

  constructor(fileNames: readonly string[]) {
    super('Not every file of this draft is on this device.');
    this.fileNames = fileNames;
  }
}

const NEVER_ASKED: DraftSyncRow = {
  key: 'drafts',
  since: 0,
  onlyOnDevice: false,
  askedAt: 0,
  attempts: 0,
  nextTryAt: 0,
};

export async function readDraftSync(): Promise<DraftSyncRow> {
  return (await db.draftSync.get('drafts')) ?? NEVER_ASKED;
}

export async function noteDraftSync(change: Partial<DraftSyncRow>): Promise<void> {
  await db.transaction('rw', db.draftSync, async () => {
    await db.draftSync.put({ ...(await readDraftSync()), ...change });
  });
}

/** What became of drafts on other devices, as long as the person has not dismissed it. */
export async function readNews(): Promise<GoneDraftRow[]> {
  return db.goneDrafts.filter(({ news }) => news !== undefined).toArray();
}

/** What is known of a draft that is not on this device any more. */
export function readGone(id: string): Promise<GoneDraftRow | undefined> {
  return db.goneDrafts.get(id);
}

export async function dismissNews(id: string): Promise<void> {
  await db.goneDrafts.where({ id }).modify((row) => {
    delete row.news;
  });
}

/** The draft under whose id this one goes on; null when it does not. */
export async function readSuccessor(id: string): Promise<DraftRow | null> {
  return (await db.drafts.filter(({ movedFrom }) => movedFrom === id).first()) ?? null;
}

/**
 * Keeps a draft on this device only, or saves it to the account from now on. What the account already
 * has of it is discarded there, and it goes on under a new id, since other devices know the old one.
 * @returns the id under which it goes on
 * @throws {FilesElsewhereError} when bytes of its files would be lost with the account's copy
 */
export async function keepOnlyHere(
  { id }: Pick<DraftRow, 'id'>,
  onlyHere: boolean,
): Promise<string> {
  return db.transaction('rw', db.drafts, db.attachments, db.goneDrafts, async () => {
    const stored = await db.drafts.get(id);
    if (!stored) return id;
    const { account, elsewhere: _, ...draft } = stored;
    const updatedAt = draft.updatedAt + 1;
    if (!onlyHere || !account) {
      await db.drafts.put({ ...stored, onlyHere, updatedAt });
      return id;
    }
    const files = await readAttachments(id);
    const elsewhere = files.filter(({ isElsewhere }) => isElsewhere);
    if (elsewhere.length > 0) throw new FilesElsewhereError(elsewhere.map(({ name }) => name));
    const moved: DraftRow = { ...draft, id: randomUuid(), onlyHere, updatedAt, movedFrom: id };
    await db.drafts.delete(id);
    await db.drafts.put(moved);
    await db.attachments.where({ capsuleId: id }).modify((file) => {
      file.capsuleId = moved.id;
      file.announced = false;
      delete file.hasArrived;
    });
    const { title } = draft.fields;
    await db.goneDrafts.put({ id, discarded: account, fields: { title }, goneAt: updatedAt });
    return moved.id;
  });
}
