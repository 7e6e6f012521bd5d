import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { getConfig } from '../../server/config.ts';
import { createClient as createDatabaseClient } from '../../server/db/client.ts';
import { startServer } from '../../server/start-server.ts';
import { login } from '../../shared/api/auth.ts';
import { getDashboardSummary, listCreated } from '../../shared/api/capsules.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, createClient, PASSWORD, signUp } from '../support/client.ts';
import { relayTo } from '../support/pooler.ts';
import { firstOf, rare } from '../support/rare.ts';

const log = pino({ level: 'silent' });
const unique = (name: string) => `${name}_${randomUUID().replaceAll('-', '')}`;
const ROLE = unique('owner');
const database = createDatabaseClient({ socketPath: inject('postgresSocket') }, { log, max: 1 });

let relay: Awaited<ReturnType<typeof relayTo>>;
let dataDir: string;
beforeAll(async () => {
  await database`create role ${database(ROLE)} login`;
  relay = await relayTo(inject('postgresSocket'));
  dataDir = await mkdtemp(join(tmpdir(), 'time-capsule-settings-'));
});
afterAll(async () => {
  await relay.close();
  await database`drop role ${database(ROLE)}`;
  await database.end();
  await rm(dataDir, { recursive: true });
});

/** The whole server, as main starts it, on a new database of the role. */
async function withServer(
  {
    prepare = async () => {},
    options = '',
  }: { prepare?: (name: string) => Promise<void>; options?: string },
  work: (url: string) => Promise<void>,
): Promise<void> {
  const name = unique('settings');
  await database.unsafe(`create database ${name} owner ${ROLE} ${options}`);
  const ends: (() => Promise<void>)[] = [];
  try {
    await prepare(name);
    const config = getConfig({
      DATABASE_URL: `postgres://${ROLE}@127.0.0.1:${relay.port}/${name}`,
      DATA_DIR: join(dataDir, name),
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
    });
    const signal = new AbortController().signal;
    const { port } = await startServer({ config, log, signal, onLost: () => {} }, (end) =>
      ends.push(end),
    );
    await work(`http://127.0.0.1:${port}`);
  } finally {
    for (const end of ends.reverse()) await end();
    await database.unsafe(`drop database ${name} with (force)`);
    await database.unsafe(`alter role ${ROLE} reset all`);
  }
}

/** Registers, seals, signs in and lists. */
async function live(url: string): Promise<void> {
  const ada = await signUp(url, 'ada');
  await seal(ada, ada, { title: 'Für später 🎂 C:\\new', dateToUnlock: '2099-02-01' });
  const again = createClient(url);
  await again.get('/api/limits');
  const credentials = { email: ada.user.email, password: PASSWORD };
  answerOf(login, await again.post('/auth/login', credentials));
  const { capsules } = answerOf(listCreated, await again.get('/api/capsules/created'));
  expect(capsules).toMatchObject([{ title: 'Für später 🎂 C:\\new', unlockDate: '2099-02-01' }]);
  answerOf(getDashboardSummary, await again.get(getDashboardSummary.path));
}

const SETTINGS = {
  array_nulls: 'off',
  bytea_output: 'escape',
  client_encoding: 'LATIN1',
  datestyle: 'German, DMY',
  default_transaction_deferrable: 'on',
  default_transaction_isolation: 'serializable',
  exit_on_error: 'on',
  extra_float_digits: '-5',
  gin_fuzzy_search_limit: '1',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '1ms',
  intervalstyle: 'sql_standard',
  lock_timeout: '1ms',
  row_security: 'off',
  search_path: 'elsewhere',
  standard_conforming_strings: 'off',
  statement_timeout: '1ms',
  timezone: 'Pacific/Chatham',
  transform_null_equals: 'on',
};

test.each(firstOf(['role', 'database']))('a %s may have settings of its own', async (kind) => {
  async function prepare(name: string) {
    const what = `${kind} ${kind === 'role' ? ROLE : name}`;
    for (const [setting, value] of Object.entries(SETTINGS)) {
      await database.unsafe(`alter ${what} set ${setting} = '${value}'`);
    }
  }
  await withServer({ prepare }, live);
});

rare('a schema with the name of the role is left alone', async () => {
  async function prepare(name: string) {
    const own = createDatabaseClient(
      { socketPath: inject('postgresSocket'), database: name },
      { log, max: 1 },
    );
    await own.unsafe(`create schema ${ROLE} authorization ${ROLE}`);
    await own.end();
  }
  await withServer({ prepare }, live);
});

test.each(['LATIN1', 'SQL_ASCII'])(
  'a database in %s is refused with one line',
  async (encoding) => {
    const options = `encoding '${encoding}' template template0 locale_provider libc locale 'C'`;
    await expect(withServer({ options }, live)).rejects.toThrow(
      new RegExp(
        `^The database at \\S+ is in ${encoding}, which can't hold every letter\\. .*UTF8`,
      ),
    );
  },
);

test('a database that takes no writes is refused with one line', async () => {
  const prepare = async (name: string) => {
    await database.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  };
  await expect(withServer({ prepare }, live)).rejects.toThrow(/takes no writes/);
});
