import { Dexie, type DexieOptions, type Table } from 'dexie';
import { isStorageSilent, listDatabases } from './answered.ts';
import { databaseName, deleteDatabase } from './device.ts';
import { contributionOf, type FormerFile, nameFiles, putVersionsIn } from './former-rows.ts';
import type {
  Attachment,
  CachedResponse,
  Chunk,
  ContributionRow,
  DraftRow,
  ExchangeRow,
  GoneDraftRow,
  KnownPersonRow,
  OpeningsRow,
  OrphanedUpload,
  OutboxRow,
  ShownFileRow,
} from './tables.ts';

/** A change of the tables is a new `version(n)` below the older ones, which stay as they are. */
const VERSION = 5;

/** Everything the device stores for one person. Another person's database is another database. */
export class Database extends Dexie {
  drafts!: Table<DraftRow, string>;
  attachments!: Table<Attachment, string>;
  chunks!: Table<Chunk, [string, number]>;
  outbox!: Table<OutboxRow, string>;
  orphanedUploads!: Table<OrphanedUpload, string>;
  responses!: Table<CachedResponse, string>;
  people!: Table<KnownPersonRow, string>;
  openings!: Table<OpeningsRow, string>;
  shownFiles!: Table<ShownFileRow, string>;
  goneDrafts!: Table<GoneDraftRow, string>;
  draftSync!: Table<ExchangeRow, string>;
  contributions!: Table<ContributionRow, string>;

  constructor(userId: string, options?: DexieOptions) {
    // Strict durability: when a save is reported as done, it is on the disk.
    super(databaseName(userId), {
      chromeTransactionDurability: 'strict',
      cache: 'disabled',
      ...options,
    });
    this.version(3).stores({
      drafts: 'id',
      attachments: 'id, capsuleId',
      chunks: '[attachmentId+index]',
      outbox: 'id',
      orphanedUploads: 'id',
      responses: 'key, *capsuleIds',
      people: 'id',
      openings: 'key',
      shownFiles: 'fileId, capsuleId, [savedAt+size]',
      goneDrafts: 'id',
      draftSync: 'key',
    });
    this.version(VERSION)
      .stores({ attachments: 'id', contributions: 'id' })
      .upgrade(async (transaction) => {
        const files: FormerFile[] = await transaction.table('attachments').toArray();
        for (const table of ['drafts', 'outbox', 'goneDrafts']) {
          await transaction.table(table).toCollection().modify(putVersionsIn);
        }
        for (const table of ['drafts', 'outbox']) {
          const rows = await transaction.table(table).toArray();
          await transaction.table(table).bulkPut(rows.map((row) => nameFiles(row, files)));
        }
        const rows = transaction.table<FormerFile>('attachments').toCollection();
        await rows.modify((file) => {
          delete file.capsuleId;
          delete file.addedAt;
        });
        const added = transaction.table('drafts').filter(({ adding }) => adding !== undefined);
        await transaction
          .table('contributions')
          .bulkPut((await added.toArray()).map(contributionOf));
        await added.delete();
      });
  }
}

/**
 * Why the database cannot be used: a newer version of the app has changed it, an older version in another tab
 * holds it, or the browser refuses (a private window, blocked storage, no room even to begin).
 */
export type StorageTrouble = 'newer' | 'held' | 'unavailable';

/** How a page wants to hear of its database. */
export interface PageStorage {
  /** A newer version of the app has taken the database. */
  onNewer: () => void;
  /** The database was deleted or closed from outside; what was in it may be gone. */
  onDeleted: () => void;
  /** A newer version of the app, in another tab, waits to change the tables. */
  beforeUpgrade: () => Promise<void>;
}

/** While no database is open: every call fails. */
const NONE = new Database('', { autoOpen: false });

/** The signed-in person's database. Every call fails until {@link openDatabase} has opened one. */
export let db = NONE;

let current: { userId: string; opened: Promise<void> } | null = null;
let openUserId: string | null = null;

/** Whose database is open here; null when nobody's is. */
export function openedUserId(): string | null {
  return openUserId;
}

/**
 * Opens the database of this person, and closes the one of anybody else.
 * @throws when the browser's database cannot be opened, see {@link troubleOf}
 */
export function openDatabase(userId: string, page?: PageStorage): Promise<void> {
  if (current?.userId !== userId) {
    closeDatabase();
    const opened = open(userId, page);
    const opening = { userId, opened };
    current = opening;
    opened.catch(() => {
      if (current === opening) current = null;
    });
  }
  return current.opened;
}

/** From here on every read and write of this page or worker fails. */
export function closeDatabase(): void {
  db.close();
  db = NONE;
  current = null;
  openUserId = null;
}

async function open(userId: string, page: PageStorage | undefined): Promise<void> {
  const database = new Database(userId);
  watch(database, page);
  await openOnDisk(database);
  // Somebody else may have signed in while this database was being opened.
  if (current && current.userId !== userId) {
    database.close();
    throw new Error('Another person has signed in.');
  }
  db = database;
  openUserId = userId;
}

/** An older tab closes its connection as soon as it is asked to; a sleeping tab cannot. */
const HELD_MAX_MS = 3_000;

/** Behind a deletion that a sleeping tab holds up, opening waits without saying so. */
const OPEN_MAX_MS = 10_000;

async function openOnDisk(database: Database): Promise<void> {
  // Dexie would open a database of a newer version and add what it misses there. Its versions count tens.
  const all = await listDatabases();
  const found = all.find(({ name }) => name === database.name);
  if (Math.floor((found?.version ?? 0) / 10) > VERSION) throw storageError('newer');
  const held = new Promise<never>((_, reject) => {
    const giveUp = () => reject(storageError('held'));
    database.on('blocked', () => setTimeout(giveUp, HELD_MAX_MS));
    const giveUpWaiting = () => reject(storageError(isStorageSilent() ? 'unavailable' : 'held'));
    setTimeout(giveUpWaiting, OPEN_MAX_MS);
  });
  try {
    await Promise.race([database.open(), held]);
  } catch (error) {
    database.close();
    throw error;
  }
}

function storageError(why: StorageTrouble): Error {
  return Object.assign(new Error(`The database is ${why}.`), { why });
}

/** Why {@link openDatabase} has thrown. */
export function troubleOf(error: unknown): StorageTrouble {
  const why: unknown = Object(error).why;
  return why === 'held' || why === 'newer' ? why : 'unavailable';
}

function watch(database: Database, page: PageStorage | undefined): void {
  // Closed for good: a late write would bring the database back after a sign-out, and Dexie would open a
  // newer one and add what it misses there.
  database.on('versionchange', ({ newVersion }) => {
    if (newVersion === null || !page) {
      closeDatabase();
      page?.onDeleted();
    } else {
      void page.beforeUpgrade().finally(() => {
        closeDatabase();
        page.onNewer();
      });
    }
    return false;
  });
  if (!page) return;
  // The browser has closed the connection, as it does when it deletes a site's data.
  database.on(
    'ready',
    () => {
      database.backendDB().addEventListener('close', () => {
        page.onDeleted();
        closeDatabase();
      });
    },
    true,
  );
}

/**
 * Removes everything that this device stores for the person whose database is open: first all rows in
 * one transaction, for a sleeping tab can hold up the deletion of the database itself.
 * @returns whether the database itself is gone too
 */
export async function eraseDatabase(): Promise<boolean> {
  const { tables, name } = db;
  await db.transaction('rw', tables, () => Promise.all(tables.map((table) => table.clear())));
  closeDatabase();
  return deleteDatabase(name);
}

/**
 * Whether a write failed because the device is full. Dexie wraps the browser's error once or twice,
 * and those of several rows in a list.
 */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'QuotaExceededError') return true;
  if ('failures' in error && Array.isArray(error.failures)) return error.failures.some(isNoRoom);
  return 'inner' in error && error.inner !== error && isNoRoom(error.inner);
}
