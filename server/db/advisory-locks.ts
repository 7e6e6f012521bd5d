import { sql as query } from 'drizzle-orm';
import type { Sql } from 'postgres';
import type { Queryable } from './open.ts';

/** Keys of PostgreSQL's advisory locks. The first number keeps them apart from other programs'. */
const SPACE = 0x7463;
const KEYS = { migration: 1, server: 2, backup: 3 } as const;

export type AdvisoryLock = keyof typeof KEYS;

/** Takes the lock if it is free; it is held until `sql`, a client of one connection, ends. */
export async function tryLock(sql: Sql, lock: AdvisoryLock): Promise<boolean> {
  const rows = await sql<{ held: boolean }[]>`
    select pg_try_advisory_lock(${SPACE}::int, ${KEYS[lock]}::int) as held`;
  return rows[0]?.held === true;
}

/** Whether anybody holds the lock at this moment. */
export async function isHeld(db: Queryable, lock: AdvisoryLock): Promise<boolean> {
  // A shared lock for this statement only, so that two callers do not block each other.
  const [row] = await db.execute<{ free: boolean }>(
    query`select pg_try_advisory_xact_lock_shared(${SPACE}::int, ${KEYS[lock]}::int) as free`,
  );
  return row?.free !== true;
}

/** The `application_name` of the connection that holds the lock, if there is one. */
export async function lockHolder(sql: Sql, lock: AdvisoryLock): Promise<string | null> {
  const rows = await sql<{ application_name: string }[]>`
    select a.application_name
      from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted
       and l.classid = ${SPACE}::oid and l.objid = ${KEYS[lock]}::oid`;
  return rows[0]?.application_name ?? null;
}
