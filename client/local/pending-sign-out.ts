import { DATABASE_NAME, PENDING_SIGN_OUT } from './names.ts';

/*
 * Signing out without a connection leaves a cookie behind that no script can remove. This
 * mark, in the database's table `meta`, says that it is nobody's any more. It is read
 * without Dexie: every page asks for it, and a visitor's pages do without the rest.
 */

const TABLE = 'meta';

/** The XSRF token of the session that is still to be ended; null when there is none. */
export async function readPendingSignOut(): Promise<string | null> {
  const database = await openExisting();
  if (!database) return null;
  try {
    const row: unknown = await settled(
      database.transaction(TABLE).objectStore(TABLE).get(PENDING_SIGN_OUT),
    );
    if (typeof row !== 'object' || row === null) return null;
    return 'value' in row && typeof row.value === 'string' ? row.value : '';
  } finally {
    database.close();
  }
}

/** The server has ended it. */
export async function clearPendingSignOut(): Promise<void> {
  const database = await openExisting();
  if (!database) return;
  try {
    const store = database.transaction(TABLE, 'readwrite').objectStore(TABLE);
    await settled(store.delete(PENDING_SIGN_OUT));
  } finally {
    database.close();
  }
}

/** The database as it is; null where there is none, for this must not make one. */
async function openExisting(): Promise<IDBDatabase | null> {
  if (typeof indexedDB === 'undefined') return null;
  let isNew = false;
  try {
    // May throw at once where the browser keeps no data.
    const request = indexedDB.open(DATABASE_NAME);
    request.onupgradeneeded = () => {
      isNew = true;
      request.transaction?.abort();
    };
    const database = await inTime(request);
    if (!database) return null;
    if (database.objectStoreNames.contains(TABLE)) return database;
    database.close();
    return null;
  } catch (error) {
    if (isNew || isForbidden(error)) return null;
    throw error;
  }
}

/** Behind an upgrade that an older tab holds up one would wait for ever, and every call with it. */
const PATIENCE_MS = 3_000;
/** Long enough for one that opens, as a slow one did after all. */
const SHORT_PATIENCE_MS = 100;
let isHeldUp = false;

async function inTime(request: IDBOpenDBRequest): Promise<IDBDatabase | null> {
  const opening = settled(request);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), isHeldUp ? SHORT_PATIENCE_MS : PATIENCE_MS);
  });
  const database = await Promise.race([opening, patience]).finally(() => clearTimeout(timer));
  isHeldUp = database === null;
  // Whenever it comes after all, it must not stand in anybody's way.
  if (isHeldUp) void opening.then(close).catch(() => undefined);
  return database;
}

function close(late: IDBDatabase): void {
  isHeldUp = false;
  late.close();
}

/** Browsers that keep no data for a site have nobody's rows to forget. */
function isForbidden(error: unknown): boolean {
  return (
    error instanceof DOMException && ['SecurityError', 'InvalidStateError'].includes(error.name)
  );
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
