import { type AnyPgColumn, pgTable, uuid } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { sharedDatabase } from '../../../tests/support/database.ts';
import { COPIED_TABLES, inOrder, nameOf } from './copy-rows.ts';

const database = sharedDatabase();

it('copies every table but the counted attempts', async () => {
  const rows = await database.sql`select tablename from pg_tables where schemaname = 'public'`;
  const names = [...COPIED_TABLES.map(nameOf), '"rate_limits"'];
  expect(names.sort()).toEqual(rows.map(({ tablename }) => `"${tablename}"`).sort());
});

it('names a table that refers to itself, perhaps by way of others', () => {
  const one = pgTable('one', { id: uuid().primaryKey(), other: uuid().references(() => two.id) });
  const two = pgTable('two', {
    id: uuid().primaryKey(),
    other: uuid().references((): AnyPgColumn => one.id),
  });
  expect(() => inOrder([one])).toThrow('one, two, one');
});
