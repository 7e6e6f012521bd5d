import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type { Sql, TransactionSql } from 'postgres';
import * as schema from '../schema.ts';
import { UNFINISHED } from '../server-state.ts';

/** All tables, each after those that its rows refer to. Counted attempts are left behind. */
export const COPIED_TABLES: readonly PgTable[] = inOrder(
  Object.values<unknown>(schema).filter((value): value is PgTable => is(value, PgTable)),
).filter((table) => table !== schema.rateLimits);

/** @throws Error when tables refer to each other in a circle */
export function inOrder(
  tables: PgTable[],
  before = new Set<PgTable>(),
  path: PgTable[] = [],
): PgTable[] {
  for (const table of tables) {
    if (before.has(table)) continue;
    const deeper = [...path, table];
    if (path.includes(table)) throw new Error(`A circle: ${deeper.map(getTableName).join(', ')}`);
    const { foreignKeys } = getTableConfig(table);
    inOrder(
      foreignKeys.map((key) => key.reference().foreignTable),
      before,
      deeper,
    );
    before.add(table);
  }
  return [...before];
}

/**
 * Replaces all rows of one database by those of another one with the same schema, in one
 * transaction each: as of one moment, and all or nothing. Compares every table afterwards. No server
 * starts on the copy until `setFinished`.
 * @param source a client with one connection, like `target`
 * @returns the number of rows
 * @throws Error when a table did not arrive as it was
 */
export function copyRows(source: Sql, target: Sql): Promise<number> {
  return source.begin('isolation level repeatable read read only', (from) =>
    target.begin(async (to) => {
      await Promise.all([from, to].map((sql) => sql.unsafe(SAME_TEXT)));
      await to.unsafe(`truncate ${COPIED_TABLES.map(nameOf).join(', ')}`);
      let count = 0;
      for (const table of COPIED_TABLES) {
        const columns = columnsOf(table);
        const rows = await from.unsafe(`copy ${nameOf(table)} (${columns}) to stdout`).readable();
        await pipeline(
          rows,
          await to.unsafe(`copy ${nameOf(table)} (${columns}) from stdin`).writable(),
        );
        goOn(rows);
        const [before, after] = await Promise.all([digestOf(from, table), digestOf(to, table)]);
        if (before.rows !== after.rows || before.sum !== after.sum) {
          throw new Error(`${nameOf(table)} did not arrive as it was`);
        }
        count += after.rows;
      }
      await to`update server_state set moved_to = ${UNFINISHED}`;
      return count;
    }),
  );
}

/**
 * The driver pauses its connection while the stream is full, and leaves it paused when the stream
 * ends in that moment: the next statement would wait for ever (github.com/porsager/postgres/issues/499).
 */
function goOn(rows: Readable): void {
  rows._read(0);
}

/** Both ends write times and numbers in the same way. */
const SAME_TEXT = `set local timezone to 'UTC'; set local datestyle to 'ISO'; set local intervalstyle to 'postgres'; set local bytea_output to 'hex'; set local extra_float_digits to 1`;

export function nameOf(table: PgTable): string {
  return `"${getTableName(table)}"`;
}

/** Without those that the database works out by itself. */
function columnsOf(table: PgTable): string {
  return Object.values(getTableColumns(table))
    .filter(({ generated }) => generated === undefined)
    .map(({ name }) => `"${name}"`)
    .join(', ');
}

/** The number of rows, and a sum over the hashes of all of them, which no order changes. */
async function digestOf(
  sql: TransactionSql,
  table: PgTable,
): Promise<{ rows: number; sum: string }> {
  const [digest] = await sql.unsafe<{ rows: number; sum: string }[]>(`
    select count(*)::int as rows,
      coalesce(sum(('x' || left(md5(row(${columnsOf(table)})::text), 15))::bit(60)::bigint), 0)::text as sum
    from ${nameOf(table)}`);
  if (!digest) throw new Error('no digest');
  return digest;
}
