import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from './open.ts';

/** The rows of a table with this, for `exists` and `notExists`. */
export function anyRow(db: Queryable, table: PgTable, condition: SQL | undefined) {
  return db.select({ one: sql`1` }).from(table).where(condition);
}

/**
 * Looks for each of these ids in the index. With `in`, PostgreSQL estimates their number, and for
 * some hundreds may read the whole table instead; and it takes no more than 65,534 of them.
 * @param ids as a list, or as a statement that selects them
 */
export function isOneOf(column: SQLWrapper, ids: string[] | SQLWrapper): SQL {
  const some = Array.isArray(ids) ? sql`(select unnest(${sql.param(ids)}::uuid[]))` : ids;
  return sql`${column} = any(array${some})`;
}
