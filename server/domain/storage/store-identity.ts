import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isHeld } from '../../db/advisory-locks.ts';
import type { Queryable } from '../../db/open.ts';
import {
  countStoreUse,
  findMovedTo,
  findStoreIdentity,
  lockStoreIdentity,
  renewStoreIdentity,
  type StoreIdentity,
  setStoreMarked,
} from '../../db/server-state.ts';
import type { Deps } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';
import { StartError } from '../../start-error.ts';

/*
 * A database and the store of its files know each other by a mark: the database's id, kept in the
 * store. With another's files, or in a folder where a disk is not mounted, every file would seem
 * lost, and the sweep would delete what belongs to others. Beside it is a number that counts up in
 * both. A database with a smaller one is older than the files: a dump that was restored, or a copy.
 */

/** Where the mark is. No file of a person has such a key, so that neither list nor sweep sees it. */
const MARK = 'store-identity';
/** The number has a key of its own, because servers of the version before compare the whole mark. */
const USES = 'store-uses';

/** The store of a running server, which its log has no need to name. */
const SOMEWHERE = 'the file store';

type StoreDeps = Pick<Deps, 'db' | 'files'>;

/** What a store says of the database that uses it. */
interface Marks {
  mark: string | null;
  uses: number;
}

/**
 * At the start: marks the store of a new database, and knows it again later. @param where the
 * store for a person to read @throws StartError when the store is another one, or was used by a
 * later state of this database
 */
export async function claimStore({ db, files }: StoreDeps, where: string): Promise<void> {
  // With the row locked, so that of two first starts at once the second one sees the first one's mark.
  const uses = await db.transaction(async (tx) => {
    const identity = await lockStoreIdentity(tx);
    const marks = await readMarks(files);
    refuse(refusalOf(identity, marks, where));
    if (marks.mark === null) await write(files, MARK, identity.storeId);
    if (!identity.storeIsMarked) await setStoreMarked(tx);
    return countUse(tx);
  });
  if (uses !== null) await write(files, USES, String(uses));
}

/** While the server runs. @throws Error when the store that was claimed is not there any more */
export async function checkStore({ db, files }: StoreDeps): Promise<void> {
  const identity = await findStoreIdentity(db);
  if (!identity?.storeIsMarked) return;
  if ((await read(files, MARK)) !== identity.storeId) throw new Error('the store is another one');
}

/** Before anything is deleted. @throws StartError when the files are not, or not only, this database's */
export async function assertOwnFiles({ db, files }: StoreDeps, where = SOMEWHERE): Promise<void> {
  // In this order: the number in the database is never behind the one that it gave to the store.
  const marks = await readMarks(files);
  const identity = await findStoreIdentity(db);
  if (identity) refuse(refusalOf(identity, marks, where));
}

/** For files that are deleted while people wait: false also when the store cannot say. */
export function ownsFiles(deps: StoreDeps): Promise<boolean> {
  return assertOwnFiles(deps).then(
    () => true,
    () => false,
  );
}

/**
 * Now and then: counts on, in the database and then in the store. Where two databases do so with
 * one store, both find out, and neither deletes anything. @throws StartError then
 */
export async function noteUse({ db, files }: StoreDeps): Promise<void> {
  const marks = await readMarks(files);
  const identity = await findStoreIdentity(db);
  if (!identity?.storeIsMarked) return;
  if (marks.mark === identity.storeId && marks.uses > identity.storeUses) {
    // So that the other one finds out as well.
    await write(files, USES, String(marks.uses + 1));
  }
  refuse(refusalOf(identity, marks, SOMEWHERE));
  const uses = await countUse(db);
  if (uses !== null) await write(files, USES, String(uses));
}

/**
 * The operator says that this store is the database's from now on. It gets a new id, so that no
 * copy of it has the store too, and what is in the store already is never swept.
 */
export async function acceptStore({ db, files }: StoreDeps, now: Date): Promise<void> {
  await db.transaction(async (tx: Queryable) => {
    const { storeUses } = await lockStoreIdentity(tx);
    const { uses } = await readMarks(files);
    const next = Math.max(storeUses, uses) + 1;
    await write(files, MARK, await renewStoreIdentity(tx, { now, storeUses: next }));
    await write(files, USES, String(next));
  });
}

/**
 * Marks the new store of a database that was moved. @param ids by which it may be known already
 * @throws StartError when it belongs to another database
 */
export async function markStore(
  { db, files }: StoreDeps,
  { ids, where }: { ids: readonly string[]; where: string },
): Promise<void> {
  const identity = await findStoreIdentity(db);
  if (!identity) throw new Error('the database has no state yet');
  const { mark } = await readMarks(files);
  if (mark !== null && !ids.includes(mark)) throw new StartError(anothers(where));
  await write(files, MARK, identity.storeId);
  await write(files, USES, String(identity.storeUses));
  await setStoreMarked(db);
}

/** Leaves the old store of a database that was moved to the old database. */
export async function leaveStore(files: FileStore, storeId: string): Promise<void> {
  await write(files, MARK, storeId);
}

/** @throws StartError with the way on and the way back */
export async function assertNotMoved(db: Queryable): Promise<void> {
  const to = await findMovedTo(db);
  if (to) throw new StartError(moved(to));
}

/** Why this database must leave the store alone, or null. */
function refusalOf(identity: StoreIdentity, { mark, uses }: Marks, where: string): string | null {
  if (mark !== null && mark !== identity.storeId) return anothers(where);
  if (mark === null && identity.storeIsMarked) return elsewhere(where);
  return uses > identity.storeUses ? newer(where) : null;
}

function refuse(why: string | null): void {
  if (why) throw new StartError(why);
}

/** Not during a backup: its rows are copied before its files, and must not be older than these. */
async function countUse(db: Queryable): Promise<number | null> {
  return (await isHeld(db, 'backup')) ? null : countStoreUse(db);
}

async function readMarks(files: FileStore): Promise<Marks> {
  const [mark, uses] = await Promise.all([read(files, MARK), read(files, USES)]);
  return { mark, uses: Number(uses ?? 0) || 0 };
}

async function read(files: FileStore, key: string): Promise<string | null> {
  const found = await files.read(key);
  return found && text(found.stream);
}

async function write(files: FileStore, key: string, content: string): Promise<void> {
  await files.write(key, Readable.from([Buffer.from(content)]));
}

const ACCEPT = 'run "npm run store:accept"';
const moved = (to: string) =>
  `This database was moved to ${to}. Start the server there. To go back to this one, which knows nothing of what was sealed there since, ${ACCEPT}.`;
const elsewhere = (where: string) =>
  `The files of this database are not in ${where}. Mount or restore them there; servers that share a database need one folder or bucket. If the files are gone for good, ${ACCEPT}.`;
const anothers = (where: string) =>
  `The files in ${where} belong to another database. Look at DATABASE_URL, DATA_DIR and the S3_… variables. If the files are this database's from now on, ${ACCEPT}.`;
const newer = (where: string) =>
  `The files in ${where} are newer than this database: it was restored from a backup, or a copy of it uses them too. If the files are this database's from now on, ${ACCEPT}.`;
