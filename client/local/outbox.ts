import { noteAbandoned, removal } from './abandoned.ts';
import { chunkTables } from './chunks.ts';
import { type DraftRow, db, type OutboxRow } from './db.ts';
import { findIncomplete, readBrokenFiles, readFiles, removeFilesOf } from './kept-files.ts';
import { readKnownPerson } from './owner.ts';
import { isOutboxItem } from './rows.ts';

/**
 * Capsules on their way. An item never changes what it says: its id is its Idempotency-Key,
 * so however often it is sent it is one capsule.
 */

/** The code of a failure of this device: a kept file can no longer be read. */
export const FILE_DAMAGED = 'FILE_DAMAGED';

/** A draft cannot be queued while a file is still being copied, or when one is gone or damaged. */
export class FilesNotKeptError extends Error {
  override readonly name = 'FilesNotKeptError';
  /** Of those that are gone or damaged, as far as they are known. */
  readonly fileNames: readonly string[];

  constructor(fileNames: readonly string[] = []) {
    super('Not every file of this draft is kept.');
    this.fileNames = fileNames;
  }
}

/** The person has signed out, in another tab perhaps: this device keeps nothing more of theirs. */
export class NotTheirDeviceError extends Error {
  override readonly name = 'NotTheirDeviceError';
}

/**
 * Moves a draft into the outbox, in one transaction: at no instant is it in neither or in both.
 * Its files stay where they are; they name the draft's id, which stays too. What another tab
 * has queued already stays as it is.
 * @param shown the files that the person sees: none of them may be missing
 * @throws {FilesNotKeptError} the draft then stays a draft
 */
export async function enqueue(
  draft: DraftRow,
  timeZone: string,
  now: number,
  shown: readonly { key: string; name: string }[] = [],
): Promise<OutboxRow> {
  const tables = [db.drafts, db.outbox, db.files, ...chunkTables(), db.meta];
  return db.transaction('rw', tables, async () => {
    // Signed out in another tab: nothing of theirs comes back.
    if ((await readKnownPerson()) !== draft.owner) throw new NotTheirDeviceError();
    const already = await db.outbox.get([draft.owner, draft.id]);
    if (already) return already;
    const files = await readFiles(draft.owner, draft.id);
    const lost = files.filter((file) => file.lost).map(({ name }) => name);
    if (files.some((file) => !file.complete)) throw new FilesNotKeptError(lost);
    const broken = await readBrokenFiles(draft.owner, draft.id);
    const missing = shown.filter(({ key }) => files.every(({ id }) => id !== key));
    const names = [...missing, ...(await findIncomplete(files))].map(({ name }) => name);
    if (broken.length > 0 || names.length > 0) throw new FilesNotKeptError(names);
    const item: OutboxRow = {
      owner: draft.owner,
      id: draft.id,
      fields: draft.fields,
      timeZone,
      state: 'queued',
      queuedAt: now,
      attempts: 0,
      nextTryAt: now,
      mayHaveArrived: false,
      inParts: false,
      failure: null,
      fileCount: files.length,
      totalBytes: files.reduce((sum, file) => sum + file.bytes, 0),
      sentBytes: 0,
    };
    await db.outbox.put(item);
    await db.drafts.delete([draft.owner, draft.id]);
    return item;
  });
}

/** Changes where an item stands; one that is gone meanwhile stays gone. */
export async function updateItem(
  { owner, id }: Pick<OutboxRow, 'owner' | 'id'>,
  change: Partial<Omit<OutboxRow, 'owner' | 'id' | 'fields' | 'timeZone'>>,
): Promise<void> {
  await db.outbox.update([owner, id], change);
}

/**
 * Takes an item for sending; only its sender, who holds the queue's lock, may.
 * @returns false when the person has taken it back meanwhile
 */
export async function claimForSending(item: Pick<OutboxRow, 'owner' | 'id'>): Promise<boolean> {
  return changeIf(item, () => true, { state: 'sending', failure: null });
}

/** @returns false when the item is gone, or stands where `isMeant` does not want it to be changed */
async function changeIf(
  { owner, id }: Pick<OutboxRow, 'owner' | 'id'>,
  isMeant: (row: OutboxRow) => boolean,
  change: Partial<OutboxRow>,
): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await db.outbox.get([owner, id]);
    if (!row || !isMeant(row)) return false;
    await db.outbox.put({ ...row, ...change });
    return true;
  });
}

/**
 * Notes, before the first byte of a whole capsule leaves, that from here on no answer does not
 * mean no capsule.
 * @returns false when the item is not this sender's any more: then nothing may leave
 */
export async function noteLeaving(item: Pick<OutboxRow, 'owner' | 'id'>): Promise<boolean> {
  return changeIf(item, ({ state }) => state === 'sending', { mayHaveArrived: true });
}

/** Items that a closed page or a stopped worker was sending wait again; under the queue's lock. */
export async function releaseCutOff(owner: string): Promise<void> {
  await db.outbox
    .where('owner')
    .equals(owner)
    .filter(({ state }) => state === 'sending')
    .modify({ state: 'queued' });
}

/** Nobody waits for longer: a time that lies further ahead was noted by a clock that was wrong. */
export const PAUSE_MAX_MS = 3_600_000;

/** The item that is to be tried next at `now`; those that failed step behind the others. */
export async function nextDue(owner: string, now: number): Promise<OutboxRow | null> {
  const rows = await db.outbox.where('owner').equals(owner).toArray();
  const isDue = (at: number) => at <= now || at > now + PAUSE_MAX_MS;
  const due = rows.filter((item) => isWaiting(item) && isDue(item.nextTryAt));
  return due.sort((a, b) => a.attempts - b.attempts || a.queuedAt - b.queuedAt)[0] ?? null;
}

/** When the next item wants to be tried, in milliseconds; null when none is waiting. */
export async function nextTryAt(owner: string): Promise<number | null> {
  const rows = await db.outbox.where('owner').equals(owner).toArray();
  const times = rows.filter(isWaiting).map((item) => item.nextTryAt);
  return times.length === 0 ? null : Math.min(...times);
}

/** Nothing gets through: nobody is tried before `at`. */
export async function postponeAll(owner: string, at: number): Promise<void> {
  await db.outbox
    .where('owner')
    .equals(owner)
    .filter((item) => isWaiting(item) && item.nextTryAt < at)
    .modify({ nextTryAt: at });
}

/** The connection is back: what only waited for it goes now. */
export async function hurryAll(owner: string, now: number): Promise<void> {
  await db.outbox
    .where('owner')
    .equals(owner)
    .filter((item) => isWaiting(item) && item.nextTryAt > now && isNetwork(item))
    .modify({ nextTryAt: now });
}

function isNetwork({ failure }: OutboxRow): boolean {
  return failure === null || failure.code === 'NETWORK_ERROR';
}

/**
 * Waits for nothing but its turn. One that says `sending` was cut off with its page or worker;
 * one that is damaged waits for its person, and must not hold up the others.
 */
function isWaiting(item: OutboxRow): boolean {
  const { state } = item;
  const waits = state === 'queued' || state === 'sending' || state === 'retry-at';
  return waits && isOutboxItem(item);
}

/**
 * Puts back in line what a sign-in or more room may help, when its person may have seen to that.
 * One that is being refused just now has a later time then, see `refuseItem`.
 */
export async function resumeWaiting(owner: string, now: number): Promise<void> {
  await db.outbox
    .where('owner')
    .equals(owner)
    .filter(({ state }) => ['needs-sign-in', 'storage-full', 'sending'].includes(state))
    .modify((item) => {
      if (item.state !== 'sending') item.state = 'queued';
      item.nextTryAt = now;
    });
}

/**
 * Notes that an item waits for its person; one that was put back in line since its sender read it
 * goes again: what refused it may be over. Looked at and noted in one: it may happen at this moment.
 * @param before as its sender read it
 * @returns whether it waits for its person now
 */
export async function refuseItem(
  before: OutboxRow,
  refused: Pick<OutboxRow, 'state' | 'failure'>,
): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await db.outbox.get([before.owner, before.id]);
    if (!row) return false;
    const isOver = row.nextTryAt > before.nextTryAt;
    const inLine = { state: 'queued', failure: null } as const;
    await db.outbox.put({ ...row, ...(isOver ? inLine : refused) });
    return !isOver;
  });
}

/** Puts an item in line at once; one that is on its way already is left to its sender. */
export async function retryNow(item: Pick<OutboxRow, 'owner' | 'id'>, now: number): Promise<void> {
  const change = { state: 'queued', nextTryAt: now, failure: null } as const;
  await changeIf(item, ({ state }) => state !== 'sending', change);
}

const tablesOfItems = () => [db.outbox, db.files, db.abandoned, ...chunkTables()];

/**
 * Throws an item away for good, with its files. One whose files are damaged could never be
 * asked about, so it goes even when it may have arrived.
 * @param isPaused nobody sends: one that says so was cut off
 * @returns false when it is on its way, may have arrived, or has just left this device
 */
export async function discardItem(
  { owner, id }: Pick<OutboxRow, 'owner' | 'id'>,
  isPaused = false,
): Promise<boolean> {
  return removal((note) =>
    db.transaction('rw', tablesOfItems(), async () => {
      const item = await db.outbox.get([owner, id]);
      const isUnknown = item?.mayHaveArrived && item.failure?.code !== FILE_DAMAGED;
      const isOnItsWay = item?.state === 'sending' && !isPaused;
      if (!item || isOnItsWay || isUnknown) return false;
      await note(await readFiles(owner, id));
      await removeItem({ owner, id }, { givesUp: false });
      return true;
    }),
  );
}

/** Throws away what can no longer be read, with its files. */
export async function discardBrokenItem({ owner, id }: Pick<OutboxRow, 'owner' | 'id'>) {
  await removal((note) =>
    db.transaction('rw', tablesOfItems(), async () => {
      await note(await readFiles(owner, id));
      await removeItem({ owner, id }, { givesUp: false });
    }),
  );
}

/**
 * Takes an item out, with the bytes of its files.
 * @param how.givesUp whether the server is to be told that its uploads are of no use; that is
 *   noted with the removal or not at all, for they may be what a repeat is known by
 */
export async function removeItem(
  { owner, id }: Pick<OutboxRow, 'owner' | 'id'>,
  { givesUp }: { givesUp: boolean },
): Promise<void> {
  await db.transaction('rw', tablesOfItems(), async () => {
    if (givesUp) await noteAbandoned(await readFiles(owner, id));
    await db.outbox.delete([owner, id]);
    await removeFilesOf(owner, id);
  });
}

/**
 * Makes a draft of an item again, under a new key: only for one that the server has refused
 * or has never seen. What it was refused for comes along.
 * @param isPaused nobody sends: one that says so was cut off
 * @returns the draft, or null when the item may have arrived
 */
export async function reopenAsDraft(
  { owner, id }: Pick<OutboxRow, 'owner' | 'id'>,
  newId: string,
  now: number,
  isPaused = false,
): Promise<DraftRow | null> {
  return db.transaction('rw', db.drafts, db.outbox, db.files, async () => {
    const item = await db.outbox.get([owner, id]);
    const isOnItsWay = item?.state === 'sending' && !isPaused;
    if (!item || isOnItsWay || item.mayHaveArrived) return null;
    const { fields, failure } = item;
    const why = failure && item.state !== 'retry-at' ? { failure } : {};
    const draft: DraftRow = { owner, id: newId, fields, updatedAt: now, ...why };
    await db.drafts.put(draft);
    await db.outbox.delete([owner, id]);
    await db.files.where('[owner+capsuleId]').equals([owner, id]).modify({ capsuleId: newId });
    return draft;
  });
}
