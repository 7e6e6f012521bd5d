import { eq, sql } from 'drizzle-orm';
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
    .values({ id: ROW, lastSeenAt: instant, bornAt: instant })
    .onConflictDoUpdate({
      target: serverState.id,
      set: { lastSeenAt: sql`greatest(${serverState.lastSeenAt}, excluded.last_seen_at)` },
    })
    .returning();
  return row?.lastSeenAt ?? instant;
}

/** Stores `instant` even if it is earlier, because the operator accepted it. */
export async function resetLastSeen(db: Queryable, instant: Date): Promise<void> {
  await db
    .insert(serverState)
    .values({ id: ROW, lastSeenAt: instant, bornAt: instant })
    .onConflictDoUpdate({
      target: serverState.id,
      // After a first start under a wrong clock, `bornAt` must not stay in the future.
      set: { lastSeenAt: instant, bornAt: sql`least(${serverState.bornAt}, excluded.born_at)` },
    });
}

/** When this database was created. Null before its first start. */
export async function findBornAt(db: Queryable): Promise<Date | null> {
  const [row] = await db.select().from(serverState).where(eq(serverState.id, ROW));
  return row?.bornAt ?? null;
}

/** For a transaction that compares before it writes. */
export async function lockLastSeen(tx: Queryable): Promise<Date | null> {
  const [row] = await tx.select().from(serverState).where(eq(serverState.id, ROW)).for('update');
  return row?.lastSeenAt ?? null;
}
