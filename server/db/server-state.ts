import { eq, sql } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { serverState } from './schema.ts';

/** The table has one row. */
const ROW = 1;

/** The latest instant that any process on this database has seen; null at the very first start. */
export async function findLastSeen(db: Queryable): Promise<Date | null> {
  const [row] = await db.select().from(serverState).where(eq(serverState.id, ROW));
  return row?.lastSeenAt ?? null;
}

/**
 * Remembers `instant` unless a later one is remembered already.
 * @returns what is remembered now.
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

/** Remembers `instant`, even if it is earlier: the operator vouches for it. */
export async function resetLastSeen(db: Queryable, instant: Date): Promise<void> {
  await db
    .insert(serverState)
    .values({ id: ROW, lastSeenAt: instant, bornAt: instant })
    .onConflictDoUpdate({
      target: serverState.id,
      // A first start under a wrong clock must not lie ahead for years.
      set: { lastSeenAt: instant, bornAt: sql`least(${serverState.bornAt}, excluded.born_at)` },
    });
}

/** When this database began; null before its first start. */
export async function findBornAt(db: Queryable): Promise<Date | null> {
  const [row] = await db.select().from(serverState).where(eq(serverState.id, ROW));
  return row?.bornAt ?? null;
}

/** For a transaction that compares before it writes. */
export async function lockLastSeen(tx: Queryable): Promise<Date | null> {
  const [row] = await tx.select().from(serverState).where(eq(serverState.id, ROW)).for('update');
  return row?.lastSeenAt ?? null;
}
