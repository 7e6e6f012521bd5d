import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../tests/support/database.ts';
import {
  createMailWorld,
  type MailWorld,
  type Person,
  START,
} from '../tests/support/mail-world.ts';
import { admin } from './admin.ts';
import { claimBatch, markFailed } from './db/mails.ts';
import { sessions } from './db/schema.ts';
import { queueWaitingNotices } from './domain/notices.ts';

let database: TestDatabase;
let world: MailWorld;
let ada: Person;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'time-capsule-admin-'));
  world = createMailWorld(database.db);
  ada = await world.addPerson('Ada');
  const tim = await world.addPerson('Tim', { emailVerifiedAt: START });
  const capsule = await world.addCapsule(ada, [tim]);
  await queueWaitingNotices(database.db, world.deps, capsule, [tim]);
  const lease = { now: world.deps.clock.now(), leaseMs: 1_000, limit: 1 };
  const { rows } = await claimBatch(database.db, { ...lease, newId: world.deps.ids.uuid() });
  await markFailed(database.db, rows, { reason: '550 no such mailbox', refusedAt: START });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) =>
  admin({ DATA_DIR: folder, APP_URL: 'https://capsule.example' }, args, (_config, _log, work) =>
    work(database.db, database.address),
  );
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).lines.join(''));

describe('the command of the operator', () => {
  it('says what it can do', async () => {
    const { ok, lines } = await run('--help');
    expect(ok).toBe(true);
    expect(lines.join('\n')).toMatch(/people <text> .*\n.*confirm <address>/);
    expect(await run('dance')).toMatchObject({ ok: false });
    expect((await run('figures', '--loud')).ok).toBe(false);
  });

  it('counts people, capsules and emails', async () => {
    const figures = await json('figures');
    expect(Object.fromEntries(figures.map((row: object) => Object.values(row)))).toMatchObject({
      people: 2,
      unconfirmed: 1,
      opened: 0,
      locked: 1,
      'emails bounced': 1,
    });
  });

  it('lists emails that did not arrive, with the reason', async () => {
    expect(await json('emails')).toMatchObject([
      { kind: 'capsule-waiting', state: 'bounced', reason: '550 no such mailbox' },
    ]);
    expect((await run('emails')).lines[1]).toContain('550 no such mailbox');
  });

  it('finds people, and takes every character for itself', async () => {
    expect(await json('people', 'ADA')).toMatchObject([
      { name: 'Ada', email: ada.email, state: 'unconfirmed', sessions: 0, sealed: 1 },
    ]);
    expect(await run('people', '%')).toEqual({ ok: true, lines: ['Nobody was found.'] });
  });

  it('confirms an address, and signs a person out', async () => {
    const until = new Date(Date.now() + 86_400_000);
    const row = { id: 'a', userId: ada.id, createdAt: START, expiresAt: until };
    await database.db.insert(sessions).values(row);
    expect(await json('people', ada.email)).toMatchObject([{ sessions: 1 }]);
    expect((await run('confirm', ada.email.toUpperCase())).ok).toBe(true);
    expect((await run('sign-out', ada.email)).ok).toBe(true);
    expect(await json('people', ada.email)).toMatchObject([{ state: 'confirmed', sessions: 0 }]);
  });

  it('refuses in words what is no address, or nobody’s', async () => {
    expect(await run('confirm', 'ada')).toEqual({
      ok: false,
      lines: ['Please give an email address; this is none: "ada"'],
    });
    expect(await run('sign-out', 'nobody@example.com')).toEqual({
      ok: false,
      lines: ['Nobody has an account with nobody@example.com.'],
    });
  });

  it('sends a test, and writes every email to be looked at', async () => {
    expect(await json('email-test', 'ops@example.org')).toMatchObject([{ through: 'folder' }]);
    expect(await readdir(join(folder, 'outbox'))).toHaveLength(1);
    const preview = join(folder, 'preview');
    const written = await json('email-preview', preview);
    expect(await readdir(preview)).toHaveLength(2 * written.length);
    expect(await readFile(join(preview, 'capsule-opened.txt'), 'utf8')).toContain('Anna Becker');
  });
});
