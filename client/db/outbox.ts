import {
  findIncomplete,
  forgetArrived,
  isUnfinished,
  noteOrphaned,
  readFiles,
} from './attachments.ts';
import { db } from './database.ts';
import { noteToDiscard, readSuccessor } from './drafts.ts';
import { isAhead, noteExchange, readExchange } from './due.ts';
import { isSame } from './merge-draft.ts';
import { type DraftRow, EMPTY_DRAFT, type OutboxFailure, type OutboxRow } from './tables.ts';

/*
 * Capsules on their way. A sealed capsule never changes: its id is its Idempotency-Key, so however
 * often it is sent it is one capsule.
 */

/** The code of a failure of this device: the copy of a file cannot be read any more. */
export const FILE_DAMAGED = 'FILE_DAMAGED';

/** A draft cannot be sealed while a file is being copied, or when one is lost, damaged or on another device alone. */
export class FilesMissingError extends Error {
  override readonly name = 'FilesMissingError';
  /** Names of all but those that are being copied. */
  readonly fileNames: readonly string[];

  constructor(fileNames: readonly string[]) {
    super('Not every file of this draft is stored.');
    this.fileNames = fileNames;
  }
}

/** Another device or tab has written in a draft since the person has looked at it. */
export class DraftChangedError extends Error {
  override readonly name = 'DraftChangedError';
}

/** Newest first. */
export async function readOutbox(): Promise<OutboxRow[]> {
  const rows = await db.outbox.toArray();
  return rows.sort((a, b) => b.queuedAt - a.queuedAt);
}

export async function readItem(id: string): Promise<OutboxRow | null> {
  return (await db.outbox.get(id)) ?? null;
}

/**
 * Moves a draft into the outbox, in one transaction: at no instant is it in neither or in both.
 * @param draft as the person has seen it
 * @param shown the files that the person sees: none may be missing, and no other may be there
 * @throws {FilesMissingError | DraftChangedError} the draft then stays a draft
 */
export async function enqueue(
  draft: Omit<DraftRow, 'files'>,
  timeZone: string,
  now: number,
  shown?: readonly { id: string; name: string }[],
): Promise<OutboxRow> {
  const tables = [db.drafts, db.outbox, db.attachments, db.chunks, db.goneDrafts];
  return db.transaction('rw', tables, async () => {
    const already = await db.outbox.get(draft.id);
    if (already) return already;
    const stored = await db.drafts.get(draft.id);
    const files = await readFiles(stored ?? { files: [] });
    const { account } = stored ?? draft;
    const seen = shown ?? files;
    // Sealed on another device, it goes on under another id.
    const isSeen = stored
      ? isSame({ ...EMPTY_DRAFT, ...stored.fields }, draft.fields)
      : (await readSuccessor(draft.id)) === null;
    if (!isSeen || seen.length < files.length) throw new DraftChangedError();
    const incomplete = await findIncomplete(files);
    const missing = seen.filter((one) => files.every(({ id }) => id !== one.id));
    if (incomplete.length + missing.length > 0) {
      const gone = incomplete.filter((file) => !isUnfinished(file));
      throw new FilesMissingError([...missing, ...gone].map(({ name }) => name));
    }
    const item: OutboxRow = {
      id: draft.id,
      fields: draft.fields,
      files: files.map(({ id }) => id),
      timeZone,
      state: 'queued',
      queuedAt: now,
      attempts: 0,
      nextTryAt: now,
      mayHaveArrived: false,
      failure: null,
      totalBytes: files.reduce((sum, file) => sum + file.bytes, 0),
      sentBytes: 0,
      ...(account && { account }),
      ...(draft.onlyHere !== undefined && { onlyHere: draft.onlyHere }),
    };
    await db.outbox.put(item);
    await db.drafts.delete(draft.id);
    return item;
  });
}

/** Another device has sealed this draft: what is left of it here is told by the account, as of any draft. */
export async function leaveToOther(id: string, now: number): Promise<void> {
  await db.transaction('rw', tablesOfBoth(), async () => {
    const item = await db.outbox.get(id);
    if (item?.account) await putBack(item, { id, updatedAt: now });
  });
}

/** Changes an item. An item that was removed meanwhile stays removed. */
export async function updateItem(
  id: string,
  change: Partial<Omit<OutboxRow, 'id' | 'fields' | 'timeZone'>>,
): Promise<void> {
  await db.outbox.update(id, change);
}

/** @returns false when the item is gone, or `isMeant` refuses it */
async function changeIf(
  id: string,
  isMeant: (row: OutboxRow) => boolean,
  change: Partial<OutboxRow>,
): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await db.outbox.get(id);
    if (!row || !isMeant(row)) return false;
    await db.outbox.put({ ...row, ...change });
    return true;
  });
}

/**
 * Takes an item for sending; only the sender, who holds the queue's lock, may.
 * @returns false when the person has taken it back meanwhile
 */
export async function claimForSending(id: string): Promise<boolean> {
  return changeIf(id, () => true, { state: 'sending', failure: null });
}

/**
 * Notes, before the first byte of a creation leaves, that from here on silence does not mean that
 * there is no capsule.
 * @returns false when the item is not this sender's any more: then nothing may leave
 */
export async function markInFlight(id: string): Promise<boolean> {
  return changeIf(id, ({ state }) => state === 'sending', { mayHaveArrived: true });
}

/** Puts items back in line that a closed page or a stopped worker was sending. Needs the queue's lock. */
export async function requeueInterrupted(): Promise<void> {
  await db.outbox.filter(({ state }) => state === 'sending').modify({ state: 'queued' });
}

/** The item to be tried next at `now`: fewest failures first, then the oldest. */
export async function nextDue(now: number): Promise<OutboxRow | null> {
  const isDue = (item: OutboxRow) => isWaiting(item) && !isAhead(item.nextTryAt, now);
  const due = await db.outbox.filter(isDue).toArray();
  return due.sort((a, b) => a.attempts - b.attempts || a.queuedAt - b.queuedAt)[0] ?? null;
}

/** When the next item is due, in milliseconds; Infinity when none is waiting. */
export async function nextTryAt(): Promise<number> {
  const waiting = await db.outbox.filter(isWaiting).toArray();
  return Math.min(...waiting.map((item) => item.nextTryAt));
}

/** Called when the server cannot be reached: no item is tried before `at`. */
export async function backOffAll(at: number): Promise<void> {
  await db.outbox
    .filter((item) => isWaiting(item) && item.nextTryAt < at)
    .modify({ nextTryAt: at });
}

/** Called when the connection is back: items that failed for another reason keep their time. */
export async function retryUnreachable(now: number): Promise<void> {
  const waitsForNetwork = ({ failure }: OutboxRow) =>
    failure === null || failure.code === 'NETWORK_ERROR';
  await db.outbox
    .filter((item) => isWaiting(item) && item.nextTryAt > now && waitsForNetwork(item))
    .modify({ nextTryAt: now });
}

/** Whether an item waits for nothing but its turn. An item in `sending` was cut off with its page or worker. */
function isWaiting({ state }: OutboxRow): boolean {
  return state === 'queued' || state === 'sending' || state === 'retry-at';
}

/** Puts items back in line for which a sign-in or more room may help. */
export async function retryRefused(now: number): Promise<void> {
  await db.outbox
    .filter(({ state }) => state === 'needs-sign-in' || state === 'storage-full')
    .modify({ state: 'queued', nextTryAt: now });
}

/** Puts an item in line at once; one that is being sent is left to its sender. */
export async function retryItem(id: string, now: number): Promise<void> {
  const change = { state: 'queued', nextTryAt: now, failure: null } as const;
  await changeIf(id, ({ state }) => state !== 'sending', change);
}

/**
 * Whether an item is certain to be on this device only.
 * @param isPaused nobody sends: an item in `sending` was cut off
 */
function mayTakeBack({ state, mayHaveArrived }: OutboxRow, isPaused: boolean): boolean {
  return !mayHaveArrived && (isPaused || state !== 'sending');
}

/**
 * Deletes an item.
 * @param isPaused as for {@link mayTakeBack}
 * @returns false when it is being sent, may have arrived, or has just left this device
 */
export async function discardItem(id: string, isPaused = false): Promise<boolean> {
  const left = await db.transaction('rw', db.outbox, db.attachments, db.goneDrafts, async () => {
    const item = await readItem(id);
    if (!item || !mayTakeBack(item, isPaused)) return null;
    await removeItem(id);
    if (!item.account) return readFiles(item);
    await noteToDiscard(item, item.account);
    return [];
  });
  await noteOrphaned(left ?? []);
  return left !== null;
}

export async function removeItem(id: string): Promise<void> {
  await db.outbox.delete(id);
}

/**
 * Turns an item that the server has refused or never seen into a draft again. The reason for a refusal
 * comes along.
 * @param newId for a draft that the account doesn't know; one that it knows keeps its id
 * @param isPaused as for {@link mayTakeBack}
 * @returns the draft, or null when the item may have arrived
 */
export async function reopenAsDraft(
  id: string,
  newId: string,
  isPaused = false,
): Promise<DraftRow | null> {
  return db.transaction('rw', tablesOfBoth(), async () => {
    const item = await db.outbox.get(id);
    if (!item || !mayTakeBack(item, isPaused)) return null;
    const { failure, account } = item;
    const reason = failure && item.state !== 'retry-at' ? { failure: atFiles(failure, item) } : {};
    // Without the account's word a key may be used up, as that of a capsule that was deleted is.
    return putBack(item, { id: account ? id : newId, updatedAt: item.queuedAt, ...reason });
  });
}

/** Where there is no room for a capsule, its files are what can be changed. */
function atFiles(failure: OutboxFailure, { files }: OutboxRow): OutboxFailure {
  const isOfFiles = failure.code === 'STORAGE_LIMIT_REACHED' && files.length > 0;
  return isOfFiles ? { ...failure, errors: { files: failure.message } } : failure;
}

const tablesOfBoth = () => [db.drafts, db.outbox, db.attachments, db.draftSync];

async function putBack(
  { id, fields, files, account, onlyHere }: OutboxRow,
  row: Pick<DraftRow, 'id' | 'updatedAt' | 'failure'>,
): Promise<DraftRow> {
  const draft: DraftRow = {
    ...{ fields, files, ...row, ...(account && { account: { ...account, isReopened: true } }) },
    ...(onlyHere !== undefined && { onlyHere }),
  };
  await db.drafts.put(draft);
  await db.outbox.delete(id);
  // Uploads that no draft of the account names may go any day.
  const known = account?.content.files.map((file) => file.id) ?? [];
  await forgetArrived((await readFiles(draft)).filter((file) => !known.includes(file.id)));
  if (account) {
    // What the account said of it while it was queued was passed over.
    const { since } = await readExchange();
    const before = Math.max(0, Math.min(since, account.revision - 1));
    await noteExchange({ since: before, asksAnew: true });
  }
  return draft;
}
