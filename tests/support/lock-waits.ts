import { sql } from 'drizzle-orm';
import type { Database } from '../../server/db/open.ts';
import { until } from './until.ts';

/** Resolves when so many connections wait for a row that another transaction has locked. */
export function untilWaiting(db: Database, count: number): Promise<true> {
  return until(async () => {
    const [row] = await db.execute(sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return row?.count === count || null;
  });
}
