import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../tests/support/database.ts';
import { createMailWorld, GO_ON } from '../../tests/support/mail-world.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { putInBin } from '../db/capsules/bin.ts';
import { claimKey, findKey } from '../db/capsules/capsule-keys.ts';
import {
  accountChanges,
  binnedCapsules,
  contributionLinks,
  drafts,
  emails,
  identities,
  linkTokens,
  passkeys,
  recoveryCodes,
  serverState,
  sessions,
  uploads,
  users,
} from '../db/schema.ts';
import { findLastSeen, resetLastSeen } from '../db/server-state.ts';
import { restoreCapsule } from '../domain/capsules/bin.ts';
import { queueEmails, queueWaitingNotices } from '../domain/emails/queue.ts';
import { sendDueEmails } from '../jobs/send-emails.ts';
import { StartError } from '../start-error.ts';
import { startClock } from './clock-memory.ts';

const START = Date.parse('2026-06-01T12:00:00Z');
const DAY = 86_400_000;

const { db, close } = await createTestDatabase();
afterAll(close);
beforeEach(async () => {
  await db.delete(serverState);
  await db.delete(emails);
});

/** A process with a system clock of its own. */
async function startProcess(systemTime: number) {
  let system = systemTime;
  const time = await startClock({
    db,
    log: pino({ level: 'silent' }),
    system: { now: () => new Date(system) },
    monotonic: () => 0,
  });
  return {
    ...time,
    now: () => time.clock.now().getTime(),
    set(to: number) {
      system = to;
    },
  };
}

const remembered = async () => (await findLastSeen(db))?.getTime();

test('the first start remembers its time, later ones raise it', async () => {
  const first = await startProcess(START);
  expect(await remembered()).toBe(START);
  first.set(START + DAY / 2);
  await first.stop();
  expect(await remembered()).toBe(START + DAY / 2);
});

test('a restart with a clock that was set back goes on from what is remembered', async () => {
  await (await startProcess(START)).stop();
  const second = await startProcess(START - 400 * DAY);
  expect(second.now()).toBe(START);
  await second.stop();
  expect(await remembered()).toBe(START);
});

test('a start more than 20 years after the last seen time is refused until the operator accepts it', async () => {
  await (await startProcess(START)).stop();
  const later = new Date('2046-06-02T12:00:00Z');
  const line =
    'The system clock shows 2046-06-02T12:00:00.000Z, more than 20 years after the last time seen, 2026-06-01T12:00:00.000Z. Set it right, or run "npm run clock:accept" if it is right.';
  await expect(startProcess(later.getTime())).rejects.toEqual(new StartError(line));
  expect(await remembered()).toBe(START);

  await resetLastSeen(db, later);
  const accepted = await startProcess(later.getTime());
  expect(accepted.now()).toBe(later.getTime());
  await accepted.stop();
});

test('a start up to 20 years after the last seen time is followed', async () => {
  await (await startProcess(START)).stop();
  const later = Date.parse('2046-06-01T00:00:00Z');
  const server = await startProcess(later);
  expect(server.now()).toBe(later);
  await server.stop();
});

test('of two processes the one that is behind learns from the other', async () => {
  const behind = await startProcess(START);
  const ahead = await startProcess(START + 3 * DAY);
  await behind.remember();
  expect(behind.now()).toBe(START + 3 * DAY);
  await Promise.all([behind.stop(), ahead.stop()]);
});

test('a running server follows when the operator accepts the clock', async () => {
  const server = await startProcess(START);
  server.set(START - 400 * DAY);
  expect(server.now()).toBe(START);
  await resetLastSeen(db, new Date(START - 400 * DAY));
  await server.remember();
  expect(server.now()).toBe(START - 400 * DAY);
  expect(await remembered()).toBe(START - 400 * DAY);
  await server.stop();
});

test('what was dated by a clock that was ahead lasts no longer than it may', async () => {
  const right = new Date(START - 400 * DAY);
  const server = await startProcess(START);
  server.set(right.getTime());
  const world = createMailWorld(db);
  const { id: userId } = await world.addPerson('Ada');
  const later = (days: number) => new Date(START + days * DAY);
  const session = { userId, expiresAt: later(30) };
  await db.insert(sessions).values([
    { ...session, id: 'ahead', createdAt: later(0) },
    { ...session, id: 'of now', createdAt: right, confirmedUntil: later(0) },
  ]);
  const link = { userId, sentTo: 'a@b.example' };
  await db.insert(linkTokens).values([
    { ...link, purpose: 'reset', requestedBy: 'home', tokenHash: 'r', expiresAt: later(0) },
    { ...link, purpose: 'verify', tokenHash: 'v', expiresAt: later(1) },
    { ...link, purpose: 'invitation', tokenHash: 'i', expiresAt: later(365) },
    { ...link, purpose: 'undo', tokenHash: 'u', subjectId: sampleId(2), expiresAt: later(7) },
  ]);
  const inEffect = {
    confirmedAt: later(0),
    objectionUntil: later(7),
    previousMain: 'a@b.example',
    previousMainConfirmed: true,
  };
  const ahead = { userId, createdAt: later(0), takesEffectAt: later(0) };
  await db.insert(accountChanges).values([
    { ...ahead, id: sampleId(1), slot: 'main', newAddress: 'b@b.example', confirmUntil: later(1) },
    { ...ahead, ...inEffect, id: sampleId(2), slot: 'second' },
    {
      ...{ ...ahead, id: sampleId(3), slot: 'password', takesEffectAt: later(7) },
      ...{ passwordHash: 'p', sentTo: 'a@b.example' },
    },
  ]);
  const upload = { name: 'a.pdf', bytes: 5, received: 0, storageKey: 'a', createdAt: later(0) };
  const id = world.deps.ids.uuid();
  await db.insert(uploads).values({ ...upload, id, userId, touchedAt: later(0) });

  await resetLastSeen(db, right);
  await server.remember();
  expect(await db.select().from(sessions)).toEqual([]);
  expect(await db.select().from(uploads)).toMatchObject([{ id, touchedAt: right }]);
  // What waited is asked for anew, and what can be undone is as if it were of now.
  const inAWeek = new Date(right.getTime() + 7 * DAY);
  expect(await db.select().from(accountChanges).orderBy(accountChanges.id)).toMatchObject([
    { id: sampleId(2), takesEffectAt: right, objectionUntil: inAWeek },
  ]);
  // Others keep an invitation that was emailed. What is undone is asked of its change.
  expect(await db.select().from(linkTokens).orderBy(linkTokens.tokenHash)).toMatchObject([
    { tokenHash: 'i', expiresAt: later(365) },
    { tokenHash: 'u', expiresAt: later(7) },
  ]);
  await server.stop();
});

test('new keys stay new for a week, and what was emailed or linked then is of now', async () => {
  const right = new Date(START - 400 * DAY);
  const server = await startProcess(START);
  server.set(right.getTime());
  const world = createMailWorld(db);
  const { id: userId } = await world.addPerson('Ada');
  const uuid = () => world.deps.ids.uuid();
  const [ahead, before] = [new Date(START), new Date(right.getTime() - DAY)];
  // One of yesterday, which can be undone for six days more; one of the wrong clock; one that made an account.
  const settled = [new Date(right.getTime() + 6 * DAY), new Date(START + 7 * DAY), null];
  await db.insert(identities).values(
    settled.map((settledAt, n) => ({
      ...{ id: uuid(), userId, issuer: `https://${n}.example`, subject: `${n}` },
      ...{ settledAt, createdAt: n === 0 ? before : ahead },
    })),
  );
  await db.insert(recoveryCodes).values({ userId, codeHash: 'c', createdAt: ahead });
  await db.insert(passkeys).values({
    ...{ id: uuid(), userId, createdAt: ahead, credentialId: 'p', publicKey: 'p', counter: 0 },
    ...{ transports: [], name: 'Phone', isBackedUp: false },
  });
  const draft = { id: uuid(), revision: 1, content: '{}', writtenOn: '', writtenAt: ahead };
  await db.insert(drafts).values({ ...draft, userId, createdAt: ahead });
  const ofDraft = { userId, draftId: draft.id, tokenHash: 't', words: '' };
  await db.insert(contributionLinks).values({ ...ofDraft, madeAt: ahead });
  world.setNow(ahead);
  await queueEmails(db, world.deps, 'password-changed', [{ id: userId, email: 'a@b.example' }]);

  await resetLastSeen(db, right);
  await server.remember();
  const inAWeek = new Date(right.getTime() + 7 * DAY);
  expect(await db.select().from(identities).orderBy(identities.subject)).toMatchObject([
    { settledAt: settled[0], createdAt: before },
    { settledAt: inAWeek, createdAt: right },
    { settledAt: null, createdAt: right },
  ]);
  expect(await db.select().from(contributionLinks)).toMatchObject([{ madeAt: right }]);
  for (const table of [recoveryCodes, passkeys, emails]) {
    expect(await db.select({ at: table.createdAt }).from(table)).toEqual([{ at: right }]);
  }
  await server.stop();
});

test('yearly emails go on within a year, and an address is heard of again', async () => {
  const right = new Date(START - 4_000 * DAY);
  const server = await startProcess(START);
  server.set(right.getTime());
  const world = createMailWorld(db);
  const ahead = new Date(START + 365 * DAY);
  const before = new Date(right.getTime() - 30 * DAY);
  const asked = {
    addressAskedAt: ahead,
    emailBouncedAt: new Date(START),
    passkeyAskedSince: ahead,
  };
  const { id } = await world.addPerson('Ada', asked);
  const never = await world.addPerson('Mia', { createdAt: ahead });
  const other = await world.addPerson('Grace', { addressAskedAt: before });

  await resetLastSeen(db, right);
  await server.remember();
  const rowOf = async (userId: string) =>
    (await db.select().from(users).where(eq(users.id, userId)))[0];
  expect(await rowOf(id)).toMatchObject({
    addressAskedAt: right,
    emailBouncedAt: right,
    passkeyAskedSince: right,
  });
  expect(await rowOf(never.id)).toMatchObject({ createdAt: right });
  expect(await rowOf(other.id)).toMatchObject({ addressAskedAt: before });
  await server.stop();
});

test('what waited for a time that lies ahead now waits no longer when the clock is accepted', async () => {
  const server = await startProcess(START);
  server.set(START - 400 * DAY);
  const world = createMailWorld(db);
  world.setNow(server.clock.now());
  const ada = await world.addPerson('Ada');
  await queueEmails(db, world.deps, 'password-changed', [ada]);
  const claim = { userId: ada.id, key: world.deps.ids.uuid(), claim: world.deps.ids.uuid() };
  const leaseUntil = new Date(START + 60_000);
  await claimKey(db, { ...claim, leaseUntil, now: server.clock.now() });

  const right = new Date(START - 400 * DAY);
  await resetLastSeen(db, right);
  await server.remember();
  expect(await world.sendings()).toMatchObject([{ nextAttemptAt: right }]);
  expect(await findKey(db, claim)).toMatchObject({ leaseUntil: right });
  await server.stop();
});

test('what is in the bin stays as long as if it were deleted now, and its emails go when it is back', async () => {
  const right = new Date(START - 400 * DAY);
  const server = await startProcess(START);
  server.set(right.getTime());
  const world = createMailWorld(db);
  world.setNow(server.clock.now());
  const ada = await world.addPerson('Ada');
  const tim = await world.addPerson('Tim');
  const capsule = await world.addCapsule(ada, [tim]);
  await queueWaitingNotices(db, world.deps, capsule, [tim]);
  const binned = { id: world.deps.ids.uuid(), capsuleId: capsule.id, ownerId: ada.id };
  await db.transaction((tx) => putInBin(tx, { ...binned, now: server.clock.now() }));

  await resetLastSeen(db, right);
  await server.remember();
  expect(await db.select().from(binnedCapsules)).toMatchObject([{ deletedAt: right }]);
  world.setNow(right);
  await restoreCapsule(world.deps, { userId: ada.id }, capsule.id);
  await sendDueEmails(world.deps, GO_ON);
  expect(world.deps.mailer.sent).toMatchObject([{ to: tim.email }]);
  await server.stop();
});
