import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { secretIn } from '../../../tests/support/links.ts';
import { type Person, START, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { rendered } from '../../../tests/support/rendered.ts';
import { createClientLimits } from '../../client-limits.ts';
import * as schema from '../../db/schema.ts';
import { setConfirmsAddresses } from '../../db/server-state.ts';
import { getInvitation } from '../accounts/invitations.ts';
import { findPasswordReset } from '../accounts/link-tokens.ts';
import {
  choosePeopleToNotify,
  queueEmails,
  queueOpenedNotices,
  queueWaitingNotices,
} from '../emails/queue.ts';

const { capsuleFiles, invitations, users } = schema;
const HOUR_MS = 3_600_000;

const { database, world } = sharedMailWorld();
let ada: Person;
let tim: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
  tim = await world.addPerson('Tim');
});

const renderDue = async () => rendered(world.deps, await world.claimOne());

describe('a reset mail', () => {
  const request = (email: string) =>
    queueEmails(database.db, world.deps, 'password-reset', [
      { id: null, email, requestedBy: 'home' },
    ]);

  it('carries a link made of the configured origin, good from now on', async () => {
    await request(ada.email);
    world.advance(4 * 60_000);
    const mail = await renderDue();
    const url = new URL(String(mail?.link));
    expect(url.origin + url.pathname).toBe('https://capsule.example/auth/reset-password');
    world.advance(4 * 60_000);
    const token = secretIn(url);
    expect(await findPasswordReset(database.db, world.deps, token)).toBe(ada.id);
  });

  it('has a link of its own at each attempt', async () => {
    await request(ada.email);
    const first = await renderDue();
    world.advance(HOUR_MS / 2);
    const second = await renderDue();
    expect(second?.link).not.toBe(first?.link);
  });

  it('makes the same row for a known and an unknown address, and drops the latter', async () => {
    await request(ada.email);
    await request('nobody@example.com');
    const rows = await world.sendings();
    expect(rows.map(({ email: { kind, userId } }) => ({ kind, userId }))).toEqual([
      { kind: 'password-reset', userId: null },
      { kind: 'password-reset', userId: null },
    ]);
    const mailed = [await renderDue(), await renderDue()];
    expect(mailed.map((mail) => mail?.to).sort()).toEqual([ada.email, undefined]);
  });

  it('is dropped for an invited person, who has no account to reset', async () => {
    const rose = await world.addPerson('Rose', { passwordHash: null });
    await request(rose.email);
    expect(await renderDue()).toBeNull();
    await queueEmails(database.db, world.deps, 'verify-email', [{ id: null, email: rose.email }]);
    expect(await renderDue()).toBeNull();
  });

  it('is dropped when nobody can be waiting for it any more', async () => {
    await request(ada.email);
    world.advance(HOUR_MS + 1);
    expect(await renderDue()).toBeNull();
  });

  it('leaves no row behind when the account goes', async () => {
    await request(ada.email);
    await renderDue();
    await database.db.delete(users).where(eq(users.id, ada.id));
    expect(await world.sendings()).toEqual([]);
  });
});

describe('account mails', () => {
  it('asks to verify, unless that has happened meanwhile', async () => {
    await queueEmails(database.db, world.deps, 'verify-email', [ada]);
    await queueEmails(database.db, world.deps, 'verify-email', [ada]);
    expect((await renderDue())?.link).toMatch(
      /^https:\/\/capsule\.example\/auth\/verify-email#token=/,
    );
    await database.db.update(users).set({ emailVerifiedAt: world.deps.clock.now() });
    expect(await renderDue()).toBeNull();
  });

  it('tells the owner of a changed password', async () => {
    await queueEmails(database.db, world.deps, 'password-changed', [ada]);
    const mail = await renderDue();
    expect(mail).toMatchObject({ to: ada.email, subject: 'Your password was changed' });
    expect(mail?.link).toBe('https://capsule.example/auth/forgot-password');
  });
});

describe('notices', () => {
  async function sealed(recipients: Person[], notifyRecipient = true) {
    const capsule = await world.addCapsule(ada, recipients, { notifyRecipient, mediaCount: 1 });
    await database.db.insert(capsuleFiles).values({
      id: capsule.id,
      capsuleId: capsule.id,
      position: 0,
      name: 'CANARY-FILE.pdf',
      type: 'application/pdf',
      bytes: 1,
      sha256: '0',
      storageKey: capsule.id,
    });
    return capsule;
  }

  it('tell each recipient of a waiting capsule, without a word of what is inside', async () => {
    const capsule = await sealed([tim]);
    await queueWaitingNotices(database.db, world.deps, capsule, [tim]);
    const mail = await renderDue();
    expect(mail?.to).toBe(tim.email);
    expect(mail?.subject).toBe('Ada sealed a time capsule for you');
    expect(mail?.text).toContain('Opens on: Sunday, 5 May 2030');
    expect(mail?.link).toBe(`https://capsule.example/dashboard?tab=received&capsule=${capsule.id}`);
    expect(JSON.stringify(mail)).not.toContain('CANARY');
  });

  it('tell one recipient of ten capsules of a creator a day, and 200 recipients in all', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const notify = async (capsule: Awaited<ReturnType<typeof sealed>>, people: Person[]) => {
      const chosen = await choosePeopleToNotify(world.deps, capsule, people);
      await queueWaitingNotices(database.db, world.deps, capsule, chosen);
    };
    const many = await Promise.all(
      Array.from({ length: 45 }, (_, n) => world.addPerson(`Guest${n}`)),
    );
    for (let count = 0; count < 11; count += 1) {
      await notify(await sealed([tim]), [tim]);
    }
    expect(await world.sendings()).toHaveLength(10);
    for (let count = 0; count < 5; count += 1) {
      await notify(await sealed(many), many);
    }
    expect(await world.sendings()).toHaveLength(200);
    vi.setSystemTime(Date.now() + 25 * HOUR_MS);
    await notify(await sealed([tim]), [tim]);
    expect(await world.sendings()).toHaveLength(201);
  });

  it('are counted by a statement for each recipient, and one for all of them', async () => {
    const statements: string[] = [];
    const logger = { logQuery: (statement: string) => void statements.push(statement) };
    const db = drizzle(database.sql, { schema, logger });
    const limits = createClientLimits({ rateLimits: true }, db);
    const people = await Promise.all(
      Array.from({ length: 45 }, (_, n) => world.addPerson(`Guest${n}`)),
    );
    const capsule = await sealed(people);
    const choose = () => choosePeopleToNotify({ limits }, capsule, people);
    for (let count = 1; count <= 4; count += 1) expect(await choose()).toEqual(people);
    expect(statements).toHaveLength(4 * 46);
    expect(await choose()).toEqual(people.slice(0, 20));
    expect(await choose()).toEqual([]);
    // Who was not told has nothing counted for it.
    const rows = await database.db.select().from(schema.rateLimits);
    const points = rows.map((row) => row.points).sort((a, b) => b - a);
    expect(points).toEqual([225, ...Array(20).fill(5), ...Array(25).fill(4)]);
  });

  it('ask the database nothing that has no answer', async () => {
    const sent: string[] = [];
    const logger = { logQuery: (query: string) => void sent.push(query) };
    const deps = { ...world.deps, db: drizzle(database.sql, { schema, logger }) };
    await queueWaitingNotices(database.db, world.deps, await sealed([tim]), [tim]);
    const [waiting] = await world.sendings();
    if (!waiting) throw new Error('Nothing was queued.');
    const kinds = ['address-check', 'verify-email'] as const;
    const yearly = kinds.map((kind) => ({ ...waiting.email, kind, capsuleIds: [] }));
    for (const email of yearly) await rendered(deps, { ...waiting, email });
    expect(await rendered(deps, waiting)).not.toBeNull();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((query) => / false\b/.test(query))).toEqual([]);
  });

  it('tell nobody of a waiting capsule when the creator did not want it', async () => {
    const quiet = await sealed([tim], false);
    expect(await choosePeopleToNotify(world.deps, quiet, [tim])).toEqual([]);
  });

  it('wait for nobody whose address is not verified, where that is asked for', async () => {
    const stranger = await world.addPerson('Stranger');
    const known = await world.addPerson('Known', { emailVerifiedAt: new Date() });
    const capsule = await sealed([stranger, known]);
    await setConfirmsAddresses(database.db, true);
    await queueWaitingNotices(database.db, world.deps, capsule, [stranger, known]);
    const mails = await Promise.all(
      (await world.sendings()).map((row) => rendered(world.deps, row)),
    );
    expect(mails.flatMap((mail) => mail?.to ?? [])).toEqual([known.email]);
  });

  it('are not sent when the capsule has opened before they could be', async () => {
    await queueWaitingNotices(database.db, world.deps, await sealed([tim]), [tim]);
    world.setNow(new Date('2030-05-05T00:00:00Z'));
    expect(await renderDue()).toBeNull();
  });

  it('tell every recipient and the creator of an opened capsule, each once', async () => {
    const capsule = await sealed([tim, ada]);
    const opened = { id: capsule.id, creator: ada, notifyRecipient: false };
    await queueOpenedNotices(database.db, world.deps, [{ ...opened, recipients: [tim, ada] }]);
    await queueOpenedNotices(database.db, world.deps, [{ ...opened, recipients: [tim, ada] }]);
    world.setNow(new Date('2030-05-05T00:00:00Z'));
    const told = [await renderDue(), await renderDue()];
    expect(told.map((mail) => mail?.to).sort()).toEqual([ada.email, tim.email].sort());
    expect(await world.sendings()).toHaveLength(2);
    expect(JSON.stringify(told)).not.toContain('CANARY');
  });

  it('tell an invited person what has opened, with links that all make the account', async () => {
    const rose = await world.addPerson('Rose', { passwordHash: null });
    // Of whom its creator has not invited, and of accounts, she reads nothing.
    const hugo = await world.addPerson('Hugo', { passwordHash: null });
    const iris = await world.addPerson('Iris');
    const invite = (inviterId: string, { id, email }: typeof rose) => {
      const row = { id: randomUUID(), inviterId, userId: id, createdAt: START };
      return database.db.insert(invitations).values({ ...row, addressHash: email });
    };
    await invite(ada.id, rose);
    await invite(tim.id, hugo);
    await invite(ada.id, iris);
    const everyone = [rose, hugo, iris];
    const capsules = [await sealed(everyone), await sealed(everyone)];
    for (const capsule of capsules) {
      await queueWaitingNotices(database.db, world.deps, capsule, [rose]);
      expect(await renderDue()).toBeNull();
    }
    for (const capsule of capsules) {
      await queueOpenedNotices(database.db, world.deps, [
        { id: capsule.id, creator: ada, notifyRecipient: true, recipients: [rose] },
      ]);
    }
    world.setNow(new Date('2030-05-05T00:00:00Z'));
    const all = (await world.sendings()).filter(({ email }) => email.kind === 'capsule-opened');
    const opened = all.filter(({ email }) => email.userId === rose.id);
    const [toAda] = all.filter(({ email }) => email.userId === ada.id);
    if (!toAda) throw new Error('Its creator is told as well.');
    const read = 'The time capsule you sealed is open. Rose can read it once they have an account.';
    expect((await rendered(world.deps, toAda))?.text).toContain(read);
    const [first, second] = opened;
    if (!first || !second) throw new Error('Both capsules have opened.');
    const capsuleIds = opened.flatMap(({ email }) => email.capsuleIds);
    const mails = [
      await rendered(world.deps, first),
      // After a lost answer: the same email, in the eyes of a provider that may repeat the first.
      await rendered(world.deps, first),
      await rendered(world.deps, { ...first, email: { ...first.email, capsuleIds } }),
    ];
    const tokens = mails.map((mail) => secretIn(new URL(String(mail?.link)), 'invitation'));
    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens) {
      expect(await getInvitation(world.deps, String(token))).toMatchObject({ email: rose.email });
    }
    for (const mail of mails) expect(mail?.text).toContain('/auth/refuse-invitation#token=');

    // Where they can't make an account, no email says that they can.
    const textsOn = async (registration: 'invited' | 'closed') => {
      const deps = { ...world.deps, config: { ...world.deps.config, registration } };
      const rows = [first, { ...first, email: { ...first.email, capsuleIds } }];
      const mails = [];
      for (const row of rows) mails.push((await rendered(deps, row))?.text);
      return mails;
    };
    const whom = expect.stringMatching(/See your invitation:.*To get an account, ask whoever/s);
    const one = expect.stringContaining("Choose a name and a password, and it's yours to read.");
    const several = expect.stringContaining('See them:');
    expect(await textsOn('closed')).toEqual([whom, whom]);
    expect(await textsOn('invited')).toEqual([one, several]);
    const admitted = database.db.update(users).set({ admittedAt: START });
    await admitted.where(eq(users.id, rose.id));
    expect(await textsOn('closed')).toEqual([one, several]);
  });

  it('have the same text at each attempt', async () => {
    const capsule = await sealed([tim]);
    await queueWaitingNotices(database.db, world.deps, capsule, [tim]);
    const first = await renderDue();
    world.advance(HOUR_MS);
    expect(await renderDue()).toEqual(first);
  });
});
