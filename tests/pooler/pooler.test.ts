import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { getConfig } from '../../server/config.ts';
import { createClient as createDatabaseClient } from '../../server/db/client.ts';
import { startServer } from '../../server/start-server.ts';
import { listCreated } from '../../shared/api/capsules.ts';
import { capsuleFields } from '../support/capsules.ts';
import { answerOf, createClient, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { type Pooler, startPooler } from '../support/pooler.ts';

const AT_ONCE = 20;
const NAME = `pooled_${randomUUID().replaceAll('-', '')}`;
const log = pino({ level: 'silent' });

let pooler: Pooler;
let dataDir: string;
beforeAll(async () => {
  await administer((sql) => sql`create database ${sql(NAME)}`);
  pooler = await startPooler(inject('postgresSocket'));
  dataDir = await mkdtemp(join(tmpdir(), 'time-capsule-pooled-'));
});
afterAll(async () => {
  await pooler.close();
  await administer((sql) => sql`drop database ${sql(NAME)} with (force)`);
  await rm(dataDir, { recursive: true, force: true });
});

async function administer(
  work: (sql: ReturnType<typeof createDatabaseClient>) => Promise<unknown>,
) {
  const sql = createDatabaseClient({ socketPath: inject('postgresSocket') }, { log, max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}

/** The pooler's sessions have the settings of when they began. */
const forgetSessions = () =>
  administer(
    (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${NAME}`,
  );

/** The whole server as main starts it. */
async function withServer(
  work: (url: string) => Promise<void>,
  addresses: Record<string, string> = pooler.addressesOf(NAME),
): Promise<void> {
  const ends: (() => Promise<void>)[] = [];
  const config = getConfig({
    ...addresses,
    DATABASE_POOL: String(AT_ONCE),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
  });
  const options = {
    config: { ...config, rateLimits: false },
    log,
    signal: new AbortController().signal,
    onLost: () => {},
  };
  try {
    const { port } = await startServer(options, (end) => ends.push(end));
    await work(`http://127.0.0.1:${port}`);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

function atOnce<T>(work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, index) => work(index)));
}

it('behind PgBouncer with two connections, three starts in a row lose nothing of twenty at once', async () => {
  let people: SignedIn[] = [];
  await withServer(async (url) => {
    people = await atOnce((index) => signUp(url, `Person ${index}`));
    const created = await Promise.all(
      people.map((person) =>
        person.createCapsule(capsuleFields(person, { dateToUnlock: '2099-01-01' })),
      ),
    );
    expect(created.map(({ status }) => status)).toEqual(people.map(() => 201));
  });
  for (const _start of ['second', 'third']) {
    await withServer(async (url) => {
      const seen = await Promise.all(
        people.map(async ({ user, password }) => {
          const person = createClient(url);
          await person.get('/user/me');
          expect(password).toBe(PASSWORD);
          await person.post('/auth/login', { email: user.email, password });
          return answerOf(listCreated, await person.get('/api/capsules/created')).pagination
            .totalItems;
        }),
      );
      expect(seen).toEqual(people.map(() => 1));
    });
  }
});

it('behind PgBouncer a database may write dates and numbers in its own way, but not break statements', async () => {
  await administer(async (sql) => {
    for (const setting of [
      "datestyle = 'German, DMY'",
      "timezone = 'Pacific/Chatham'",
      'standard_conforming_strings = off',
    ]) {
      await sql.unsafe(`alter database ${NAME} set ${setting}`);
    }
  });
  const { host, pathname } = new URL(pooler.addressesOf(NAME).DATABASE_URL);
  try {
    await forgetSessions();
    await withServer(async (url) => {
      const person = await signUp(url, 'Ada');
      const fields = capsuleFields(person, { dateToUnlock: '2099-02-01' });
      expect((await person.createCapsule(fields)).status).toBe(201);
      const { capsules } = answerOf(listCreated, await person.get('/api/capsules/created'));
      expect(capsules).toMatchObject([{ unlockDate: '2099-02-01' }]);
    });
    await administer((sql) => sql.unsafe(`alter database ${NAME} set search_path = 'elsewhere'`));
    await forgetSessions();
    await expect(withServer(async () => {})).rejects.toThrow(
      `The database at ${host}${pathname} has current_schema none, and Time Capsule needs public. Reset search_path of the role and of the database (alter role … reset search_path), and restart the pooler if there is one.`,
    );
  } finally {
    await administer((sql) => sql.unsafe(`alter database ${NAME} reset all`));
    await forgetSessions();
  }
});

it('a pooler without the address of PostgreSQL itself is one line that asks for it', async () => {
  const { DATABASE_URL } = pooler.addressesOf(NAME);
  const { host, pathname } = new URL(DATABASE_URL);
  await expect(withServer(async () => {}, { DATABASE_URL })).rejects.toThrow(
    `The database at ${host}${pathname} is behind a connection pooler: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`,
  );
});
