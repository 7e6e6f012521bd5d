import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { createMailWorld, START } from '../../tests/support/mail-world.ts';
import { projectRoot } from '../project-root.ts';
import { findBornAt, raiseLastSeen } from './server-state.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a database that is there already began with its first person', async () => {
  const { db, sql } = database;
  await raiseLastSeen(db, new Date(START.getTime() + 1_000));
  const { addPerson } = createMailWorld(db);
  await addPerson('Later', { createdAt: new Date(START.getTime() + 500) });
  await addPerson('First');
  await sql`alter table server_state drop column born_at`;
  const migration = join(projectRoot, 'migrations', '0002_database_birth.sql');
  await sql.unsafe(await readFile(migration, 'utf8'));
  expect(await findBornAt(db)).toEqual(START);
});
