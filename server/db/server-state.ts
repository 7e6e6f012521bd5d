import { and, eq, ne, sql } from 'drizzle-orm';
import { ADDRESS_KEY } from './address-hash.ts';
import type { Queryable } from './open.ts';
import { serverState } from './schema.ts';

/** The table has one row. */
const ROW = 1;

/** The latest time seen by any process on this database. Null at the first start. */
export async function findLastSeen(db: Queryable): Promise<Date | null> {
  const [row] = await db.select().from(serverState).where(eq(serverState.id, ROW));
  return row?.lastSeenAt ?? null;
}

/**
 * Stores `instant` unless a later one is stored. @returns the stored time
 */
export async function raiseLastSeen(db: Queryable, instant: Date): Promise<Date> {
  const [row] = await db
    .insert(serverState)
    .values({ id: ROW, lastSeenAt: instant })
    .onConflictDoUpdate({
      target: serverState.id,
      set: { lastSeenAt: sql`greatest(${serverState.lastSeenAt}, excluded.last_seen_at)` },
    })
    .returning();
  return row?.lastSeenAt ?? instant;
}

/** Stores whether addresses have to be confirmed, for every statement that asks who has an account. */
export async function setConfirmsAddresses(db: Queryable, confirms: boolean): Promise<void> {
  await db
    .update(serverState)
    .set({ confirmsAddresses: confirms })
    .where(and(eq(serverState.id, ROW), ne(serverState.confirmsAddresses, confirms)));
}

/** Stores `instant` even if it is earlier, because the operator accepted it. */
export async function resetLastSeen(db: Queryable, instant: Date): Promise<void> {
  await db
    .insert(serverState)
    .values({ id: ROW, lastSeenAt: instant })
    .onConflictDoUpdate({ target: serverState.id, set: { lastSeenAt: instant } });
}

/** For a transaction that compares before it writes. */
export async function lockLastSeen(tx: Queryable): Promise<Date | null> {
  const [row] = await tx.select().from(serverState).where(eq(serverState.id, ROW)).for('update');
  return row?.lastSeenAt ?? null;
}

export interface StoreIdentity {
  storeId: string;
  /** The store has been marked with the id. */
  storeIsMarked: boolean;
}

/** Null where the column is not there yet: commands look at databases of the version before too. */
const columnOf = (name: string) => sql<string | null>`to_jsonb(${serverState}) ->> ${name}`;

export async function findAddressKey(db: Queryable): Promise<string | undefined> {
  const [row] = await db.select({ key: ADDRESS_KEY }).from(serverState);
  return row?.key;
}

export async function findStoreIdentity(db: Queryable): Promise<StoreIdentity | undefined> {
  const { storeId, storeIsMarked } = serverState;
  const [row] = await db
    .select({ storeId, storeIsMarked })
    .from(serverState)
    .where(eq(serverState.id, ROW));
  return row;
}

/** Locks the row until the transaction ends. @throws Error before `raiseLastSeen` has made it */
export async function lockStoreIdentity(tx: Queryable): Promise<StoreIdentity> {
  const [row] = await tx.select().from(serverState).where(eq(serverState.id, ROW)).for('update');
  if (!row) throw new Error('the database has no state yet');
  return row;
}

export async function setStoreMarked(tx: Queryable): Promise<void> {
  await tx.update(serverState).set({ storeIsMarked: true }).where(eq(serverState.id, ROW));
}

/** Gives the database a new id for its store, which no copy of it has. @returns the id */
export async function renewStoreIdentity(tx: Queryable): Promise<string> {
  const [row] = await tx
    .update(serverState)
    .set({ ...NEW_ID, storeIsMarked: true, movedTo: null })
    .where(eq(serverState.id, ROW))
    .returning({ storeId: serverState.storeId });
  if (!row) throw new Error('the database has no state yet');
  return row.storeId;
}

const NEW_ID = {
  storeId: sql`gen_random_uuid()`,
  addressKey: sql`coalesce(${serverState.addressKey}, ${serverState.storeId})`,
};

/** Stands for a place in a copy that `npm run move` has not finished. */
export const UNFINISHED = 'unfinished';

/** Where this database was moved to, `UNFINISHED`, or null. */
export async function findMovedTo(db: Queryable): Promise<string | null> {
  const [row] = await db.select({ movedTo: columnOf('moved_to') }).from(serverState);
  return row?.movedTo ?? null;
}

/**
 * Notes that this database lives on elsewhere, under the id that it had. The store then refuses
 * it, by every version of the server. @returns the id that it has from now on
 */
export async function setMoved(db: Queryable, movedTo: string): Promise<string | null> {
  const [row] = await db
    .update(serverState)
    .set({ ...NEW_ID, movedTo })
    .where(eq(serverState.id, ROW))
    .returning({ storeId: serverState.storeId });
  return row?.storeId ?? null;
}

/** The copy has everything, and servers may start on it. */
export async function setFinished(db: Queryable): Promise<void> {
  await db.update(serverState).set({ movedTo: null }).where(eq(serverState.id, ROW));
}

/** Up to where the bounce mailbox has been read, by any process. */
export async function findBouncesReadTo(db: Queryable): Promise<string | null> {
  const [row] = await db.select({ place: serverState.bouncesReadTo }).from(serverState);
  return row?.place ?? null;
}

export async function setBouncesReadTo(db: Queryable, place: string): Promise<void> {
  await db.update(serverState).set({ bouncesReadTo: place }).where(eq(serverState.id, ROW));
}

/** The key of `linkSigner`. It never changes. @param fresh becomes the key if there is none */
export async function findSigningKey(db: Queryable, fresh: string): Promise<string> {
  const [known] = await db.select({ key: serverState.signingKey }).from(serverState);
  if (known?.key) return known.key;
  const [row] = await db
    .update(serverState)
    .set({ signingKey: sql`coalesce(${serverState.signingKey}, ${fresh})` })
    .returning({ key: serverState.signingKey });
  if (!row?.key) throw new Error('The server has not been started on this database yet.');
  return row.key;
}
