import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import * as schema from '../schema.ts';
import { COPIED_TABLES } from './copy-rows.ts';

test('every table is copied, but the counted attempts', () => {
  const all = Object.values(schema).filter((value) => is(value, PgTable));
  const left = all.filter((table) => !COPIED_TABLES.includes(table));
  expect(left.map(getTableName)).toEqual(['rate_limits']);
});
