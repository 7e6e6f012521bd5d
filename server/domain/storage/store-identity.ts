import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Queryable } from '../../db/open.ts';
import {
  findMovedTo,
  findStoreIdentity,
  lockStoreIdentity,
  renewStoreIdentity,
  type StoreIdentity,
  setStoreMarked,
  UNFINISHED,
} from '../../db/server-state.ts';
import type { Deps } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';
import { StartError } from '../../start-error.ts';

/*
 * A database and the store of its files know each other by a mark: the database's id, kept in the
 * store. With another's files, or in a folder where a disk is not mounted, every file would seem
 * lost.
 */

/** Where the mark is. No file of a person has such a key. */
const MARK = 'store-identity';

/** The store of a running server, which its log has no need to name. */
const SOMEWHERE = 'the file store';

type StoreDeps = Pick<Deps, 'db' | 'files'>;

/**
 * At the start: marks the store of a new database, and knows it again later. @param where the
 * store for a person to read @throws StartError when the store is another one
 */
export async function claimStore({ db, files }: StoreDeps, where: string): Promise<void> {
  // With the row locked, so that of two first starts at once the second one sees the first one's mark.
  await db.transaction(async (tx) => {
    const identity = await lockStoreIdentity(tx);
    const mark = await readMark(files);
    refuseOther(identity, mark, where);
    if (mark === null) await writeMark(files, identity.storeId);
    if (!identity.storeIsMarked) await setStoreMarked(tx);
  });
  // From now on a folder knows when it is gone. One without room for more can still be read.
  await files.check().catch(() => {});
}

/** While the server runs, and before anything is deleted. @throws StartError when the store is another one */
export async function assertOwnFiles({ db, files }: StoreDeps, where = SOMEWHERE): Promise<void> {
  const identity = await findStoreIdentity(db);
  if (identity) refuseOther(identity, await readMark(files), where);
}

/**
 * The operator says that this store is the database's from now on. It gets a new id, so that no
 * copy of it has the store too.
 */
export async function acceptStore({ db, files }: StoreDeps): Promise<void> {
  await db.transaction(async (tx: Queryable) => {
    await lockStoreIdentity(tx);
    await writeMark(files, await renewStoreIdentity(tx));
  });
}

/**
 * Marks the new store of a database that is being moved, perhaps once more.
 * @throws StartError when it belongs to another database
 */
export async function markStore({ db, files }: StoreDeps, where: string): Promise<void> {
  const identity = await findStoreIdentity(db);
  if (!identity) throw new Error('the database has no state yet');
  const mark = await readMark(files);
  if (mark !== null && mark !== identity.storeId) throw new StartError(anothers(where));
  await writeMark(files, identity.storeId);
  await setStoreMarked(db);
}

/** @throws StartError with the way on and the way back */
export async function assertNotMoved(db: Queryable): Promise<void> {
  const to = await findMovedTo(db);
  if (to) throw new StartError(to === UNFINISHED ? HALF_MOVED : moved(to));
}

/** @throws StartError when this database must leave the store alone */
function refuseOther(identity: StoreIdentity, mark: string | null, where: string): void {
  if (mark !== null && mark !== identity.storeId) throw new StartError(anothers(where));
  if (mark === null && identity.storeIsMarked) throw new StartError(elsewhere(where));
}

/** Null also for a mark that a crash has cut short. */
async function readMark(files: FileStore): Promise<string | null> {
  const found = await files.read(MARK);
  return (found && (await text(found.stream))) || null;
}

/** Also leaves the old store of a database that was moved to that. */
export async function writeMark(files: FileStore, id: string): Promise<void> {
  await files.write(MARK, Readable.from([Buffer.from(id)]));
}

const ACCEPT = 'run "npm run store:accept"';
const moved = (to: string) =>
  `This database was moved to ${to}. Start the server there. To go back to this one, which knows nothing of what was sealed there since, ${ACCEPT}.`;
const HALF_MOVED = `This database is an unfinished copy. Run "npm run move" again, or start the server on the old one. To use this one as it is, ${ACCEPT}.`;
const elsewhere = (where: string) =>
  `The files of this database are not in ${where}. Mount or restore them there; servers that share a database need one folder or bucket. If the files are gone for good, ${ACCEPT}.`;
const anothers = (where: string) =>
  `The files in ${where} belong to another database. Look at DATABASE_URL, DATA_DIR and the S3_… variables. If the files are this database's from now on, ${ACCEPT}.`;
