import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Queryable } from '../db/open.ts';
import { findStoreIdentity, lockStoreIdentity, setStoreMarked } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';
import type { FileStore } from '../files/file-store.ts';
import { StartError } from '../start-error.ts';

/*
 * A database and the store of its files know each other by a mark: the database's id, kept in the
 * store. With another's files, or in a folder where a disk is not mounted, every file would seem
 * lost, and the sweep would delete what belongs to others.
 */

/** Where the mark is. No file of a person has such a key, so that neither list nor sweep sees it. */
const MARK = 'store-identity';

type StoreDeps = Pick<Deps, 'db' | 'files'>;

/**
 * At the start: marks the store of a new database, and knows it again later. @param where the
 * store for a person to read @throws StartError when the store is another one
 */
export async function claimStore({ db, files }: StoreDeps, where: string): Promise<void> {
  // With the row locked, so that of two first starts at once the second one sees the first one's mark.
  await db.transaction(async (tx) => {
    const { storeId, storeIsMarked } = await lockStoreIdentity(tx);
    const mark = await readMark(files);
    if (mark !== null && mark !== storeId) throw new StartError(anothers(where));
    if (mark === null && storeIsMarked) throw new StartError(elsewhere(where));
    if (mark === null) await writeMark(files, storeId);
    if (!storeIsMarked) await setStoreMarked(tx);
  });
}

/** While the server runs. @throws Error when the store that was claimed is not there any more */
export async function checkStore({ db, files }: StoreDeps): Promise<void> {
  const identity = await findStoreIdentity(db);
  if (!identity?.storeIsMarked) return;
  if ((await readMark(files)) !== identity.storeId) throw new Error('the store is another one');
}

/** The operator says that this store is the database's from now on. */
export async function acceptStore({ db, files }: StoreDeps): Promise<void> {
  await db.transaction(async (tx: Queryable) => {
    const { storeId } = await lockStoreIdentity(tx);
    await writeMark(files, storeId);
    await setStoreMarked(tx);
  });
}

async function readMark(files: FileStore): Promise<string | null> {
  const mark = await files.read(MARK);
  return mark && text(mark.stream);
}

async function writeMark(files: FileStore, storeId: string): Promise<void> {
  await files.write(MARK, Readable.from([Buffer.from(storeId)]));
}

const elsewhere = (where: string) =>
  `The files of this database are not in ${where}. Mount or restore them there; servers that share a database need one folder or bucket. If the files are gone for good, run "npm run store:accept".`;
const anothers = (where: string) =>
  `The files in ${where} belong to another database. Look at DATABASE_URL, DATA_DIR and the S3_… variables. If the files are this database's from now on, run "npm run store:accept".`;
