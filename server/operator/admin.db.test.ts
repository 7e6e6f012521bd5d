import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, lt, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import {
  createMailWorld,
  type MailWorld,
  type Person,
  START,
} from '../../tests/support/mail-world.ts';
import { markEnded } from '../db/emails/outcomes.ts';
import {
  capsuleRecipients,
  capsules,
  invitations,
  reports,
  sessions,
  users,
} from '../db/schema.ts';
import { queueWaitingNotices } from '../domain/emails/queue.ts';
import { admin } from './admin.ts';

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
  await markEnded(database.db, [await world.claimOne()], {
    outcome: 'bounced',
    reason: '550 no such mailbox',
    at: START,
  });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) =>
  admin({ DATA_DIR: folder, APP_URL: 'https://capsule.example' }, args, (_config, work) =>
    work({ db: database.db }),
  );
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).lines.join(''));

describe('the command of the operator', () => {
  it('says what it can do', async () => {
    const { ok, lines } = await run('--help');
    expect(ok).toBe(true);
    expect(lines.join('\n')).toMatch(/\nThis server\n {2}emails\n .*\nPeople\n {2}confirm <addr/s);
    expect(await run('dance')).toEqual({
      ok: false,
      isRefusal: true,
      lines: ['There is no command "dance".', 'See all: npm run admin'],
    });
    expect((await run('suspnd')).lines).toContain('Did you mean suspend?');
    expect((await run('delete')).lines).toContain('Did you mean delete-account?');
  });

  it('says how a command is used when it was typed wrongly', async () => {
    const usage = 'npm run admin -- confirm <address> --reason <text>';
    expect((await run('confirm', '--help')).lines[0]).toBe(usage);
    for (const args of [['confirm'], ['confirm', ada.email], ['confirm', ada.email, '--loud']]) {
      const { ok, lines } = await run(...args);
      expect([ok, lines.length, lines.at(-1)]).toEqual([false, 2, `Usage: ${usage}`]);
    }
    const limit = await run('limit', ada.email, '--storage-mb', '-1', '--reason', 'x');
    expect(limit.lines.at(-1)).toMatch(/^Usage: npm run admin -- limit <person>/);
  });

  it('prints columns for people, and JSON for programs', async () => {
    const { lines } = await run('emails');
    expect(lines.join('\n')).not.toMatch(/T\d\d:\d\d:\d\d|[a-z][A-Z]\w* {2}/);
    // Of columns without a value, there is nothing to read.
    expect((await run('people', ada.email)).lines[0]).toMatch(
      /^name +email +state +joined.*sealed +id/,
    );
  });

  it('lists who has not looked two months after an opening', async () => {
    const tim = await world.addPerson('Waiting Tim');
    const seenBy = await world.addPerson('Eve');
    const opened = { unlockAt: new Date('2020-05-05T00:00:00Z') };
    await world.addCapsule(ada, [tim, seenBy], opened);
    await world.addCapsule(ada, [tim], { unlockAt: new Date('2021-05-05T00:00:00Z') });
    await database.db
      .update(capsuleRecipients)
      .set({ seenAt: new Date('2020-06-06T00:00:00Z') })
      .where(eq(capsuleRecipients.userId, seenBy.id));
    expect(await json('unreached')).toEqual([
      { name: 'Waiting Tim', email: tim.email, capsules: 2, since: '2020-05-05T00:00:00.000Z' },
    ]);
    await database.db.delete(users).where(eq(users.id, tim.id));
    expect((await run('unreached')).lines).toEqual([
      expect.stringMatching(/^There is nobody who hasn't looked at what opened .* 60 days ago/),
    ]);
    await database.db.delete(users).where(eq(users.id, seenBy.id));
    await database.db.delete(capsules).where(lt(capsules.unlockAt, START));
  });

  it('looks up nothing of what was reported for a program', async () => {
    const report = (capsuleId: string | null) => ({
      id: randomUUID(),
      reporterId: capsuleId && ada.id,
      capsuleId,
      userId: ada.id,
      reason: 'spam' as const,
      text: '',
      createdAt: new Date(START.getTime() + (capsuleId ? 1 : 0)),
    });
    await database.db.insert(reports).values([report(null), report(randomUUID())]);
    await database.db.execute(sql`alter table capsules rename to away`);
    try {
      expect((await run('reports')).ok).toBe(false);
      expect(await json('reports')).toHaveLength(2);
    } finally {
      await database.db.execute(sql`alter table away rename to capsules`);
    }
  });

  it('lists emails that did not arrive, with the reason', async () => {
    expect(await json('emails')).toMatchObject([
      { kind: 'capsule-waiting', state: 'bounced', reason: '550 no such mailbox' },
    ]);
    expect((await run('emails')).lines[1]).toContain('550 no such mailbox');
  });

  it('finds people, and takes every character for itself', async () => {
    expect(await json('people', ada.email.slice(0, 12).toUpperCase())).toMatchObject([
      { name: 'Ada', email: ada.email, state: 'unconfirmed', sessions: 0, sealed: 1 },
    ]);
    expect(await run('people', '%')).toEqual({ ok: true, lines: ['Nobody was found.'] });
  });

  it('finds a person by the second address, and says that the main one takes no email', async () => {
    const second = { secondEmail: 'lena.second@example.com', emailBouncedAt: START };
    const lena = await world.addPerson('Lena', second);
    expect(await json('people', 'Lena.Second@')).toMatchObject([
      {
        email: lena.email,
        bouncedSince: START.toISOString(),
        secondEmail: 'lena.second@example.com',
      },
    ]);
    expect(await json('people', ada.email)).toMatchObject([
      { email: ada.email, bouncedSince: null, secondEmail: null },
    ]);
  });

  it('confirms an address, and signs a person out', async () => {
    const until = new Date(Date.now() + 86_400_000);
    const row = { id: 'a', userId: ada.id, createdAt: START, expiresAt: until };
    await database.db.insert(sessions).values(row);
    expect(await json('people', ada.email)).toMatchObject([{ sessions: 1 }]);
    expect((await run('confirm', ada.email.toUpperCase(), '--reason', 'she called')).ok).toBe(true);
    expect((await run('sign-out', ada.email, '--reason', 'lost phone')).ok).toBe(true);
    expect(await json('people', ada.email)).toMatchObject([{ state: 'confirmed', sessions: 0 }]);
  });

  it('does nothing to an account without a reason', async () => {
    const zoe = await world.addPerson('Zoe');
    expect(await run('confirm', zoe.email, '--reason', ' ')).toEqual({
      ok: false,
      isRefusal: true,
      lines: [
        'Please give a reason: --reason "what they asked for"',
        'Usage: npm run admin -- confirm <address> --reason <text>',
      ],
    });
    expect(await json('people', zoe.email)).toMatchObject([{ state: 'unconfirmed' }]);
  });

  it('confirms no invited address, which a stranger may have registered', async () => {
    const rose = await world.addPerson('Rose');
    const invited = { id: randomUUID(), userId: rose.id, addressHash: '', createdAt: START };
    await database.db.insert(invitations).values(invited);
    expect(await run('confirm', rose.email, '--reason', 'she called')).toEqual({
      ok: false,
      isRefusal: true,
      lines: [
        `${rose.email} is invited, and somebody else may have registered it. Only an emailed link confirms it.`,
      ],
    });
    expect(await json('people', rose.email)).toMatchObject([{ state: 'unconfirmed' }]);
  });

  it('lists what was done to accounts and why, also of those deleted since', async () => {
    const max = await world.addPerson('Max');
    await run('confirm', max.email, '--reason', 'his mailbox is full');
    await run('sign-out', max.email, '--reason', 'a shared computer');
    expect(await json('trace')).toMatchObject([
      { command: 'sign-out', address: max.email, reason: 'a shared computer' },
      { command: 'confirm', address: max.email, reason: 'his mailbox is full' },
      { command: 'sign-out', address: ada.email, reason: 'lost phone' },
      { command: 'confirm', address: ada.email, reason: 'she called' },
    ]);
    await database.db.delete(users).where(eq(users.id, max.id));
    expect((await run('trace')).lines[1]).toMatch(/sign-out {2}– +a shared computer$/);
  });

  it('keeps the capitals of a unit in the head of a column', async () => {
    const limit = ['limit', ada.email, '--storage-mb', 'default', '--reason', 'x', '--yes'];
    expect((await run(...limit)).lines[0]).toMatch(/^address +storage, MB +capsules a day$/);
  });

  it('does nothing to an account where it can leave no trace', async () => {
    const kim = await world.addPerson('Kim');
    await database.db.execute(sql`alter table operator_actions rename to away`);
    try {
      expect((await run('confirm', kim.email, '--reason', 'she called')).ok).toBe(false);
    } finally {
      await database.db.execute(sql`alter table away rename to operator_actions`);
    }
    expect(await json('people', kim.email)).toMatchObject([{ state: 'unconfirmed' }]);
  });

  it('refuses in words what is no address, or nobody’s, and says how to find people', async () => {
    const how = 'A part of a name or an address finds people: npm run admin -- people <text>';
    expect(await run('confirm', 'ada')).toEqual({
      ok: false,
      isRefusal: true,
      lines: [
        `This is no address and no id: "ada". ${how}`,
        'Usage: npm run admin -- confirm <address> --reason <text>',
      ],
    });
    expect(await run('sign-out', 'nobody@example.com', '--reason', 'lost phone')).toEqual({
      ok: false,
      isRefusal: true,
      lines: [`Nobody has an account with nobody@example.com. ${how}`],
    });
  });

  it('says what to look at when a test cannot be sent', async () => {
    const environment = { DATA_DIR: folder, SMTP_URL: 'smtp://ops:secret@127.0.0.1:1' };
    expect(await admin(environment, ['email-test', 'ops@example.org'])).toEqual({
      ok: false,
      isRefusal: true,
      lines: [
        'The test was not sent: connect ECONNREFUSED 127.0.0.1:1. Are SMTP_URL and MAIL_FROM right, and does that server answer this machine? Emails that people wait for stay queued, and are tried again for thirty days.',
      ],
    });
  });

  it('sends a test', async () => {
    expect(await json('email-test', 'ops@example.org')).toMatchObject([{ through: 'folder' }]);
    expect(await readdir(join(folder, 'outbox'))).toHaveLength(1);
  });
});
