import { type SQLWrapper, sql } from 'drizzle-orm';
import { bigint, timestamp } from 'drizzle-orm/pg-core';

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
export const bytes = (name: string) => bigint(name, { mode: 'number' });

/** For a CHECK: a text column holds one of these words. */
export const oneOf = (column: SQLWrapper, values: readonly string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
