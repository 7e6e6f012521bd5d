import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../tests/support/database.ts';
import { relayTo } from '../../tests/support/pooler.ts';
import { rare } from '../../tests/support/rare.ts';
import { getConfig } from '../config.ts';
import { raiseLastSeen } from '../db/server-state.ts';
import { move } from './move.ts';
import { withOperatorDatabase, withSource } from './operator-database.ts';

const database = await createTestDatabase();
const relay = await relayTo(inject('postgresSocket'));
afterAll(async () => {
  await relay.close();
  await database.close();
});
const { database: name } = database.address;
const DATABASE_URL = `postgres://postgres@127.0.0.1:${relay.port}/${name}`;
const config = getConfig({ DATABASE_URL });

test('a command waits longer for a statement than a call of the server, but holds no locks', async () => {
  // As behind a pooler, where the time-outs belong to the role.
  await database.sql`alter database ${database.sql(name)} set statement_timeout = '15s'`;
  const shown = await withOperatorDatabase(config, ({ db }) =>
    db.execute(sql`select current_setting('statement_timeout') statement,
      current_setting('idle_in_transaction_session_timeout') idle`),
  );
  expect([...shown]).toEqual([{ statement: '0', idle: '1min' }]);
});

test('a database that takes no writes is copied, and no other command opens it', async () => {
  const reset = () =>
    database.sql`alter database ${database.sql(name)} reset default_transaction_read_only`;
  onTestFinished(async () => void (await reset()));
  await database.sql`alter database ${database.sql(name)} set default_transaction_read_only = on`;
  const read = withSource(config, { beside: true }, ({ db }) => db.execute(sql`select 1 as one`));
  expect([...(await read)]).toEqual([{ one: 1 }]);
  await expect(withOperatorDatabase(config, async () => {})).rejects.toThrow(/takes no writes/);
});

rare(
  'a new database that does not answer is named by the option that says where it is',
  async () => {
    const to = 'postgres://postgres@127.0.0.1:1/capsules';
    expect(await move({ DATABASE_URL }, { to })).toEqual({
      ok: false,
      lines: [
        'The database at 127.0.0.1:1/capsules cannot be reached (connect ECONNREFUSED 127.0.0.1:1; tried for 3 s). Is it running, and is --to right?',
      ],
    });
  },
);

rare('a full disk, where a provider ends the writing, can be moved away from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-moved-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await raiseLastSeen(database.db, new Date());
  await database.sql`alter database ${database.sql(name)} set default_transaction_read_only = on`;
  // As a server that has stopped.
  await database.sql.end();
  const moving = () => move({ DATABASE_URL, DATA_DIR: folder }, { to: join(folder, 'new') });
  expect(await moving()).toMatchObject({ ok: true });
  expect((await moving()).lines[0]).toMatch(/^This database was moved to /);
});
