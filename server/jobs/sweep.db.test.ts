import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { GO_ON, type Person, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { createSessions } from '../auth/sessions.ts';
import { putInBin } from '../db/capsules/bin.ts';
import {
  accountChanges,
  capsuleKeys,
  capsules,
  invitations,
  linkTokens,
  notices,
  rateLimits,
  serverState,
  sessions,
  users,
} from '../db/schema.ts';
import { raiseLastSeen, setConfirmsAddresses } from '../db/server-state.ts';
import { issuePasswordReset } from '../domain/accounts/link-tokens.ts';
import { sweep } from './sweep.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const { database, world } = sharedMailWorld();
let ada: Person;
beforeEach(async () => {
  await database.db.delete(serverState);
  await raiseLastSeen(database.db, world.deps.clock.now());
  ada = await world.addPerson('Ada');
});

const pass = () => sweep(world.deps, GO_ON);

it('removes sessions and links when they have expired, and none before', async () => {
  await createSessions({ ...world.deps, db: database.db }).create({
    userId: ada.id,
    passwordHash: 'none',
  });
  // lucia reckons with the process's own clock.
  const [session] = await database.db.select().from(sessions);
  await issuePasswordReset(database.db, world.deps, {
    userId: ada.id,
    requestedBy: 'home',
    sentTo: ada.email,
  });
  world.setNow(new Date(Number(session?.expiresAt) - 1));
  await pass();
  expect(await database.db.select().from(sessions)).toHaveLength(1);
  world.advance(1);
  await pass();
  expect(await database.db.select().from(sessions)).toEqual([]);
});

it('removes a reset link once it is dead', async () => {
  await issuePasswordReset(database.db, world.deps, {
    userId: ada.id,
    requestedBy: 'home',
    sentTo: ada.email,
  });
  await pass();
  expect(await database.db.select().from(linkTokens)).toHaveLength(1);
  world.advance(HOUR_MS);
  await pass();
  expect(await database.db.select().from(linkTokens)).toEqual([]);
});

it('removes changes of addresses a month after they have ended, and links that are over', async () => {
  const now = world.deps.clock.now();
  const later = new Date(now.getTime() + 1);
  const ended = new Date(now.getTime() - 31 * DAY_MS);
  const lately = new Date(ended.getTime() + 1);
  const dated = { userId: ada.id, createdAt: now, takesEffectAt: now };
  const inEffect = {
    ...{ ...dated, slot: 'second' as const, confirmedAt: now },
    ...{ previousMain: ada.email, previousMainConfirmed: true },
  };
  const waiting = { ...dated, newAddress: 'ada@new.example', confirmUntil: ended };
  const password = { slot: 'password' as const, passwordHash: 'hash', sentTo: ada.email };
  await database.db.insert(accountChanges).values([
    { ...inEffect, id: sampleId(1), objectionUntil: ended },
    { ...inEffect, id: sampleId(2), objectionUntil: lately },
    { ...inEffect, id: sampleId(3), objectionUntil: lately, undoneAt: now },
    // Nobody has confirmed it in time.
    { ...waiting, id: sampleId(4), slot: 'second' },
    // These wait for the job that puts them into effect.
    { ...waiting, id: sampleId(5), slot: 'main', confirmedAt: now },
    { ...dated, ...password, id: sampleId(6) },
  ]);
  const link = { userId: ada.id, purpose: 'undo' as const };
  await database.db.insert(linkTokens).values([
    { ...link, tokenHash: 'dead', expiresAt: now },
    { ...link, tokenHash: 'alive', expiresAt: later },
  ]);
  await pass();
  const left = (await database.db.select().from(accountChanges)).map(({ id }) => id);
  expect(left.sort()).toEqual([2, 3, 5, 6].map(sampleId));
  expect(await database.db.select().from(linkTokens)).toMatchObject([{ tokenHash: 'alive' }]);
});

it('removes counts of attempts that have expired', async () => {
  const counts = [-1, 1].map((ms) => ({
    key: `signIn:${ms}`,
    points: 1,
    expire: new Date(world.deps.clock.now().getTime() + ms),
  }));
  await database.db.insert(rateLimits).values(counts);
  await pass();
  expect(await database.db.select().from(rateLimits)).toMatchObject([{ key: 'signIn:1' }]);
});

it('removes sent and failed mail after 90 days and dropped mail after one, never queued mail', async () => {
  const now = world.deps.clock.now();
  for (const outcome of ['sent', 'dropped', 'failed', null] as const) {
    const ended = outcome ? { outcome, outcomeAt: now } : { nextAttemptAt: now };
    const sentAt = outcome === 'sent' ? now : null;
    await world.addSending(ada, {
      ...{ kind: 'password-changed', about: { createdAt: now } },
      ...{ outcome: null, outcomeAt: null, sentAt, ...ended },
    });
  }
  const states = async () =>
    (await world.sendings()).map(({ outcome }) => outcome ?? 'queued').sort();
  await pass();
  expect(await states()).toEqual(['dropped', 'failed', 'queued', 'sent']);
  world.advance(DAY_MS);
  await pass();
  expect(await states()).toEqual(['failed', 'queued', 'sent']);
  world.advance(89 * DAY_MS);
  await pass();
  expect(await states()).toEqual(['queued']);
});

it('keeps a failed notice as long as its capsule, for who has sealed it', async () => {
  const capsule = await world.addCapsule(ada, [ada]);
  const now = world.deps.clock.now();
  const failed = { outcome: 'failed' as const, outcomeAt: now, sentAt: null };
  const { id, emailId } = await world.addSending(ada, { kind: 'capsule-waiting', ...failed });
  const notice = { capsuleId: capsule.id, kind: 'capsule-waiting' as const, userId: ada.id };
  await database.db.insert(notices).values({ ...notice, emailId });
  world.advance(365 * DAY_MS);
  await pass();
  expect(await world.sendings()).toMatchObject([{ id }]);
});

it('keeps the email of an invitation until it is answered, for who has invited', async () => {
  const now = world.deps.clock.now();
  const noPassword = { passwordHash: null };
  const invited = await world.addPerson('Rose', noPassword);
  const joined = await world.addPerson('Iris');
  const refused = await world.addPerson('Lily', noPassword);
  for (const { id: userId, email: toAddress } of [invited, joined, refused]) {
    const id = world.deps.ids.uuid();
    const whose = userId === refused.id ? null : userId;
    const invitation = { id, inviterId: ada.id, userId: whose, addressHash: id, createdAt: now };
    await database.db.insert(invitations).values(invitation);
    const about = { aboutId: id, createdAt: now };
    const to = { id: userId, email: toAddress };
    await world.addSending(to, { kind: 'invitation', about, outcomeAt: now });
  }
  world.advance(90 * DAY_MS);
  await pass();
  expect((await world.sendings()).map(({ email }) => email.userId)).toEqual([invited.id]);
});

it('frees keys of uploads that never ended, and keeps those that stand for a capsule', async () => {
  const leaseUntil = world.deps.clock.now();
  const key = () => ({
    userId: ada.id,
    key: world.deps.ids.uuid(),
    claim: world.deps.ids.uuid(),
    leaseUntil,
  });
  await database.db.insert(capsuleKeys).values([
    { ...key(), state: 'receiving' },
    { ...key(), state: 'done', fingerprint: 'same' },
  ]);
  world.advance(DAY_MS - 1);
  await pass();
  expect(await database.db.select().from(capsuleKeys)).toHaveLength(2);
  world.advance(1);
  await pass();
  expect(await database.db.select().from(capsuleKeys)).toMatchObject([{ state: 'done' }]);
});

it('removes a capsule that nobody can reach any more, and no other', async () => {
  const orphan = await world.addCapsule(ada, [], { creatorId: null, departedCreator: 'Grace' });
  const left = await world.addCapsule(ada, [ada], { creatorId: null, departedCreator: 'Grace' });
  const own = await world.addCapsule(ada, []);
  await pass();
  const kept = (await database.db.select().from(capsules)).map(({ id }) => id);
  expect(kept).toEqual(expect.arrayContaining([left.id, own.id]));
  expect(kept).not.toContain(orphan.id);
});

it('does the rest when one step fails, and says which', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
  const removeOld = async () => Promise.reject(new Error('the folder cannot be read'));
  const orphan = await world.addCapsule(ada, [], { creatorId: null, departedCreator: 'Grace' });
  await sweep({ ...world.deps, log, mailer: { ...world.deps.mailer, removeOld } }, GO_ON);
  expect(lines).toEqual([expect.stringMatching(/the folder cannot be read.*"step":"outbox"/)]);
  const kept = (await database.db.select().from(capsules)).map(({ id }) => id);
  expect(kept).not.toContain(orphan.id);
});

it.each([
  ['old emails', 'delete from emails where not is_about_capsules and created_at <= now()'],
  ['emails to an address', "delete from emails where to_address = 'ada@example.com'"],
  ['held keys', "delete from capsule_keys where state = 'receiving' and lease_until <= now()"],
  ['avatars', "select 1 from users where avatar_key in ('avatars/1', 'avatars/2')"],
])('finds %s by an index', async (_, statement) => {
  const plan = await database.db.transaction(async (tx) => {
    await tx.execute('set local enable_seqscan = off');
    return tx.execute(`explain ${statement}`);
  });
  expect(JSON.stringify(plan)).not.toContain('Seq Scan');
});

it('lets go of mails that the outbox folder has kept for 90 days', async () => {
  const ages: number[] = [];
  const removeOld = async (olderThanMs: number) => void ages.push(olderThanMs);
  await sweep({ ...world.deps, mailer: { ...world.deps.mailer, removeOld } }, GO_ON);
  expect(ages).toEqual([90 * DAY_MS]);
});

it('removes accounts that nobody confirmed in 30 days and that hold nothing, and nobody else', async () => {
  const { db } = database;
  const unconfirmed = { emailVerifiedAt: null, passwordHash: 'hash' };
  const add = (name: string, change: Partial<typeof users.$inferInsert> = {}) =>
    world.addPerson(name, { ...unconfirmed, ...change });
  const createdAt = new Date(world.deps.clock.now().getTime() - 31 * DAY_MS);
  for (let index = 0; index < 3; index += 1) await add(`Nobody ${index}`, { createdAt });
  await add('Young');
  await add('Invited', { createdAt, passwordHash: null });
  await add('Confirmed', { createdAt, emailVerifiedAt: createdAt });
  const sealer = await add('Sealer', { createdAt });
  const reader = await add('Reader', { createdAt });
  await world.addCapsule(sealer, [reader]);
  const deleter = await add('Deleter', { createdAt });
  const deleted = await world.addCapsule(deleter, [await add('Reader of it', { createdAt })]);
  await db.transaction((tx) =>
    putInBin(tx, {
      id: sampleId(901),
      capsuleId: deleted.id,
      ownerId: deleter.id,
      now: world.deps.clock.now(),
    }),
  );
  const invited = await add('Named', { createdAt });
  await db.insert(invitations).values({
    id: sampleId(900),
    inviterId: ada.id,
    userId: invited.id,
    addressHash: 'hash',
    createdAt,
  });
  const signedIn = await add('Signed in', { createdAt });
  await createSessions({ ...world.deps, db }).create({ userId: signedIn.id, passwordHash: 'hash' });

  const names = async () => (await db.select().from(users)).map(({ name }) => name).sort();
  const all = await names();
  await pass();
  expect(await names()).toEqual(all);
  world.deps.config.emailVerification = true;
  await setConfirmsAddresses(db, true);
  await Promise.all([pass(), pass()]);
  expect(await names()).toEqual(all.filter((name) => !name.startsWith('Nobody')));
});
