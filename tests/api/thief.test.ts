import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  capsules,
  emails,
  notices,
  pushSubscriptions,
  reports,
  sendings,
  users,
} from '../../server/db/schema.ts';
import { queueEmails } from '../../server/domain/emails/queue.ts';
import { EMAIL_KINDS, type EmailKind, KIND_NAMES } from '../../server/mail/kinds.ts';
import type { Mail } from '../../server/mail/mailer.ts';
import { projectRoot } from '../../server/project-root.ts';
import { TURN_OFF_PATH } from '../../shared/api/email-choices.ts';
import { askProvider } from '../../shared/api/identities.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { makeRecoveryCodes } from '../../shared/api/recovery-codes.ts';
import { DAY_MS, PASSWORD_WAITS_DAYS, UNDO_DAYS } from '../../shared/limits.ts';
import {
  addressesFor,
  addSecond,
  allSent,
  answerFor,
  askForMain,
  askForSecond,
  codeOf,
  confirm,
  confirmMain,
  forgetEmails,
  moveTo,
  newAddress,
  resetBy,
  signInAs,
  tokenTo,
  undo,
  visit,
} from '../support/addresses.ts';
import { addPasskeyTo, optionsFor } from '../support/authenticator.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, PASSWORD, type SignedIn, signUp, type TestClient } from '../support/client.ts';
import { linkPath, newDraft, newLink, sealDraft, Writer } from '../support/contributions.ts';
import {
  type IdentityProvider,
  linkTo,
  locationOf,
  passBy,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { secretIn } from '../support/links.ts';
import { runAdmin } from '../support/run-admin.ts';
import { sharedServer } from '../support/server.ts';
import { unzip } from '../support/unzip.ts';

const server = sharedServer({ clock: '2029-06-01T12:00:00Z' });
const strict = sharedServer({ config: { emailVerification: true } });

/** All emails of all tests but those that a test has cleared. */
const everySent: Mail[] = [];
afterEach(() => {
  for (const { mailer } of [server, strict]) everySent.push(...mailer.sent);
});
const THIEFS = 'of a thief';
const CONFIRMED = { type: 'confirmed' };

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider(server.url);
  server.deps.config.identityProvider = provider.settings;
});
afterAll(() => provider.close());

const ALL = { waiting: true, opened: true };

/** Of a browser that the thief has. */
const SUBSCRIPTION = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/of-a-thief',
  keys: {
    p256dh:
      'BHWzgltYygUgdko0lP5jF6aVMs9lL_CxtcCRdkswnb8VQQADf5iZZgnineCZEo5Fo3gHGma61SQg1dZZW_MiZIw',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

/** Somebody with a sealed capsule of their own. */
async function victim() {
  const owner = await signUp(server.url, `Owner ${randomUUID()}`.slice(0, 40));
  await confirmMain(server, owner);
  const { id } = await seal(owner, owner, { dateToUnlock: '2040-01-01' });
  return { owner, main: owner.user.email, id };
}

async function withSecond() {
  const one = await victim();
  const second = await addSecond(server, one.owner);
  await allSent(server);
  return { ...one, second };
}

/** Somebody who has asked for a passkey on new devices, for more than a week. */
async function asking() {
  const one = await victim();
  const added = await addPasskeyTo(one.owner);
  const body = { asksOnNewDevices: true, password: PASSWORD };
  expect(codeOf(await one.owner.put('/user/passkey-choice', body))).toBe(200);
  await waitAWeek();
  await allSent(server);
  return { ...one, ...added };
}

const rowOf = async (email: string) =>
  (await server.deps.db.select().from(users).where(eq(users.email, email)))[0];

const HOUR_MS = 3_600_000;
const NOT_IN = 'INVALID_CREDENTIALS';
const signsIn = async (email: string, password = THIEFS) =>
  codeOf(await signInAs(server, email, password));
const reads = async (client: TestClient, id: string) =>
  codeOf(await client.get(`/api/capsules/${id}`));
async function waitAWeek() {
  server.clock.advance({ ms: Math.max(UNDO_DAYS, PASSWORD_WAITS_DAYS) * DAY_MS });
  await server.activateChanges();
}

/** An email of this kind, as it is sent now. */
async function emailOf(
  kind: EmailKind,
  { user }: SignedIn,
  capsuleId: string | null = null,
): Promise<Mail> {
  const { db, clock } = server.deps;
  const [emailId, id] = [randomUUID(), randomUUID()];
  const now = clock.now();
  const { goesTo, urgency } = EMAIL_KINDS[kind];
  const isToPerson = goesTo === 'person';
  const to = { userId: user.id, toAddress: isToPerson ? null : user.email };
  await db.delete(emails).where(eq(emails.userId, user.id));
  await db
    .insert(emails)
    .values({ id: emailId, kind, ...to, isAboutCapsules: capsuleId !== null, createdAt: now });
  if (capsuleId) {
    await db.insert(notices).values({ capsuleId, kind, userId: user.id, emailId });
  }
  await db.insert(sendings).values({
    ...{ id, emailId, number: 1, cause: 'first', urgency, slot: isToPerson ? 'main' : null },
    ...{ nextAttemptAt: now, createdAt: now },
  });
  server.deps.mailQueued();
  await allSent(server);
  const sent = server.mailer.sent.find((mail) => mail.id === id);
  if (!sent) throw new Error(`No ${kind} was sent.`);
  return sent;
}

const linksIn = ({ text }: Mail) =>
  (text.match(/https?:\/\/\S+/g) ?? []).map((url) => new URL(url));

/** Which links hold a secret, by their paths. */
const secretsIn = (mail: Mail) =>
  linksIn(mail)
    .filter((link) => /[?#&](token|invitation)=/.test(link.href))
    .map(({ pathname }) => pathname);

/** Nothing in it serves a stranger but turning such emails off. */
async function isOfNoUse(mail: Mail, id: string): Promise<void> {
  expect(secretsIn(mail)).toEqual([TURN_OFF_PATH]);
  const thief = await visit(server.url);
  for (const { pathname, search } of linksIn(mail).filter((link) =>
    link.pathname.startsWith('/api'),
  )) {
    if (pathname !== TURN_OFF_PATH)
      expect(codeOf(await thief.get(pathname + search))).toBe('UNAUTHENTICATED');
  }
  expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
}

async function open(id: string): Promise<void> {
  const opened = { unlockAt: new Date('2029-01-01T00:00:00Z'), dateToUnlock: '2029-01-01' };
  await server.deps.db.update(capsules).set(opened).where(eq(capsules.id, id));
}

/** Makes the account of an invited address, whose email somebody else has read. */
async function claimWith(link: URL, email: string): Promise<string | number> {
  const invitation = secretIn(link, 'invitation');
  const thief = await visit(server.url);
  const account = { name: 'Thief', email, password: THIEFS, invitation };
  return codeOf(await thief.post('/auth/register', account));
}

/** An invited address, for which a capsule has opened or will. */
async function invited() {
  const { owner } = await victim();
  const email = newAddress();
  await owner.post('/user/invitations', { email });
  const { id } = await seal(owner, { user: { email } }, { dateToUnlock: '2040-01-01' });
  const [row] = await server.deps.db.select().from(users).where(eq(users.email, email));
  return { email, id, user: { user: { id: String(row?.id), email } } as SignedIn };
}

/** Named like the rows of the table in docs/security.md, in their order. */
const ROWS: Record<string, () => Promise<void>> = {
  'the main address, where it is the only one': async () => {
    const { main } = await victim();
    expect((await resetBy(server, main, THIEFS)).countsFrom).toBeUndefined();
    expect([await signsIn(main), await signsIn(main, PASSWORD)]).toEqual([200, NOT_IN]);
  },
  'the main address, confirmed, where there is a second one': async () => {
    const { main, second, owner } = await withSecond();
    await resetBy(server, main, THIEFS);
    expect(await signsIn(main)).toBe(NOT_IN);
    expect((await owner.get('/user/me')).json).toHaveProperty('passwordWaitsUntil');
    await answerFor(server, second, false);
    await waitAWeek();
    expect([await signsIn(main), await signsIn(main, PASSWORD)]).toEqual([NOT_IN, 200]);
    // Nobody answers, and nobody signs in.
    await resetBy(server, main, THIEFS);
    await waitAWeek();
    expect(await signsIn(main)).toBe(200);
  },
  'the second address': async () => {
    const { main, second } = await withSecond();
    expect(await signsIn(second, PASSWORD)).toBe(NOT_IN);
    await resetBy(server, second, THIEFS);
    expect(await signsIn(main)).toBe(NOT_IN);
    await answerFor(server, main, false);
    await waitAWeek();
    expect([await signsIn(main), await signsIn(main, PASSWORD)]).toEqual([NOT_IN, 200]);
  },
  'both addresses': async () => {
    const { main, second } = await withSecond();
    await resetBy(server, main, THIEFS);
    await answerFor(server, second, true);
    expect(await signsIn(main)).toBe(200);
  },
  'an address of before, within an hour': async () => {
    const { owner, main } = await victim();
    await moveTo(server, owner, newAddress());
    expect(codeOf(await undo(server, main))).toBe(200);
    expect((await resetBy(server, main, THIEFS)).countsFrom).toBeUndefined();
    expect(await signsIn(main)).toBe(200);
    // No more than it could before the change: a second address is asked as it was then.
    const other = await withSecond();
    await moveTo(server, other.owner, newAddress());
    expect(codeOf(await undo(server, other.main))).toBe(200);
    expect((await resetBy(server, other.main, THIEFS)).countsFrom).toBeDefined();
    expect(await signsIn(other.main)).toBe(NOT_IN);
  },
  'an address of before, within seven days': async () => {
    const { owner, main, id } = await victim();
    const after = newAddress();
    await moveTo(server, owner, after);
    server.clock.advance({ ms: HOUR_MS });
    expect(codeOf(await undo(server, main))).toBe(200);
    expect(await reads(owner, id)).toBe('UNAUTHENTICATED');
    await resetBy(server, main, THIEFS);
    expect(await signsIn(main)).toBe(NOT_IN);
    await answerFor(server, after, false);
    await waitAWeek();
    expect(await signsIn(main)).toBe(NOT_IN);
    expect((await resetBy(server, main, THIEFS)).countsFrom).toBeUndefined();
    expect(await signsIn(main)).toBe(200);
    // The second address of the account is asked for as long as it is one.
    const other = await withSecond();
    await moveTo(server, other.owner, newAddress());
    server.clock.advance({ ms: HOUR_MS });
    expect(codeOf(await undo(server, other.main))).toBe(200);
    await waitAWeek();
    expect((await resetBy(server, other.main, THIEFS)).countsFrom).toBeDefined();
  },
  'an address of before that nobody had confirmed, within seven days': async () => {
    const owner = await signUp(server.url, `Owner ${randomUUID()}`.slice(0, 40));
    const [main, second] = [owner.user.email, newAddress()];
    await moveTo(server, owner, newAddress());
    await addSecond(server, owner, second);
    expect(codeOf(await undo(server, main))).toBe(200);
    expect((await resetBy(server, main, THIEFS)).countsFrom).toBeUndefined();
    expect(await signsIn(main)).toBe(200);
    expect((await rowOf(main))?.secondEmail).toBeNull();
  },
  'an address of before, later': async () => {
    const { owner, main } = await victim();
    await moveTo(server, owner, newAddress());
    const token = await tokenTo(server, main, '/auth/undo-email');
    await waitAWeek();
    const thief = await visit(server.url);
    expect(codeOf(await thief.post('/auth/undo-email', { token }))).toBe('INVALID_ADDRESS_LINK');
    await forgetEmails(server);
    await thief.post('/auth/forgot-password', { email: main });
    await allSent(server);
    expect(server.mailer.sent).toEqual([]);
  },
  'a session, without the password': async () => {
    const { owner, main, id } = await victim();
    expect(await reads(owner, id)).toBe(200);
    const body = { email: newAddress(), password: THIEFS };
    const guesses = [
      await owner.post('/user/email', body),
      await owner.put('/user/second-email', body),
      await owner.post('/user/delete-account', { password: THIEFS, capsules: 'destroy' }),
      await owner.request('DELETE', '/user/sessions', { json: { password: THIEFS } }),
      await owner.post('/user/passkeys/options', { password: THIEFS }),
      await owner.post('/user/identity', { password: THIEFS }),
      await owner.request('DELETE', '/user/identity', { json: { password: CONFIRMED } }),
    ];
    expect(guesses.map(codeOf)).toEqual(Array(7).fill('VALIDATION_FAILED'));
    // What it deletes of others comes back by the email about it.
    const friend = await signUp(server.url, `Friend ${randomUUID().slice(0, 8)}`);
    const { id: hers } = await seal(owner, friend, { dateToUnlock: '2040-01-01' });
    expect(codeOf(await owner.delete(`/api/capsules/${hers}`))).toBe(200);
    const now = { json: { password: THIEFS } };
    const forGood = await owner.request('DELETE', `/api/capsules/${hers}?now=true`, now);
    expect(codeOf(forGood)).toBe('VALIDATION_FAILED');
    const token = await tokenTo(server, main, '/auth/restore-capsule');
    const visitor = await visit(server.url);
    expect(codeOf(await visitor.post('/auth/restore-capsule', { token }))).toBe(200);
    // It brings back what the owner has deleted.
    expect(codeOf(await owner.delete(`/api/capsules/${id}`))).toBe(200);
    expect(codeOf(await owner.post(`/api/capsules/${id}/restore`))).toBe(200);
    // Whom it blocks, the owner finds in a list.
    expect(codeOf(await owner.put(`/user/blocked/${friend.user.id}`))).toBe(200);
    const { id: theirs } = await seal(friend, { user: { email: main } });
    expect(await reads(owner, theirs)).toBe('CAPSULE_NOT_FOUND');
    expect((await owner.get('/user/blocked')).text).toContain(friend.user.name);
    expect(codeOf(await owner.delete(`/user/blocked/${friend.user.id}`))).toBe(200);
    expect(await reads(owner, theirs)).toBe(200);
    await askForMain(owner, newAddress());
    expect((await owner.delete('/user/addresses/main/pending')).status).toBe(200);
    expect(await addressesFor(owner)).toMatchObject({ email: main, pending: [] });
  },
  'a session, in what nobody is told': async () => {
    const { owner, main, id } = await victim();
    const thief = await visit(server.url);
    await thief.post('/auth/login', { email: main, password: PASSWORD });
    const none = { waiting: false, opened: false };
    const changes = [
      await thief.put('/user/notices', none),
      await thief.put('/user/update-profile', { ...owner.user, name: 'Changed' }),
      await thief.put('/api/push/subscription', SUBSCRIPTION),
    ];
    expect(changes.map(codeOf)).toEqual([200, 200, 200]);
    // The owner sees it, and turns it back.
    expect((await owner.get('/user/me')).json).toMatchObject({ name: 'Changed' });
    expect((await owner.get('/user/notices')).json).toMatchObject(none);
    expect((await owner.put('/user/notices', ALL)).json).toMatchObject(ALL);
    const { db } = server.deps;
    const isTold = () => db.$count(pushSubscriptions, eq(pushSubscriptions.userId, owner.user.id));
    expect(await isTold()).toBe(1);
    const own = { json: { password: PASSWORD } };
    expect(codeOf(await owner.request('DELETE', '/user/sessions', own))).toBe(200);
    expect([await isTold(), await reads(thief, id)]).toEqual([0, 'UNAUTHENTICATED']);
  },
  'a session, without the password, while others add to a draft': async () => {
    const { owner, main } = await victim();
    const draft = await newDraft(owner);
    const family = await newLink(owner, draft);
    const guest = new Writer(server.url, family);
    await guest.save(0, { letter: 'the only copy' });
    await waitAWeek();
    const removed = `/api/drafts/${draft}/contributions/${guest.id}`;
    expect(codeOf(await owner.delete(removed))).toBe(200);
    // The owner sees it, and one press brings it back.
    expect((await owner.get(`/api/drafts/${draft}/contributions`)).json).toMatchObject({
      removed: [{ id: guest.id, name: 'Grandpa' }],
    });
    expect(codeOf(await owner.post(`${removed}/put-back`))).toBe(200);
    expect(await guest.own()).toMatchObject({ letter: 'the only copy' });
    // It ends the family's link, and one that it makes ends with a new password.
    expect(codeOf(await owner.delete(linkPath(draft)))).toBe(200);
    const thiefs = new Writer(server.url, await newLink(owner, draft));
    const kept = await newDraft(owner);
    expect(codeOf(await guest.open())).toBe('CONTRIBUTION_LINK_INVALID');
    expect(codeOf(await thiefs.open())).toBe(200);
    const old = new Writer(server.url, await newLink(owner, kept));
    await waitAWeek();
    expect(codeOf(await owner.delete(linkPath(draft)))).toBe(200);
    const latest = new Writer(server.url, await newLink(owner, draft));
    // Sealed for the owner alone, a draft opens on whatever day, with what others have added.
    const given = await newDraft(owner);
    await new Writer(server.url, await newLink(owner, given)).save(0, { letter: 'for them all' });
    const sealed = await sealDraft(owner, given, { dateToUnlock: '2040-01-01' });
    const { id } = answerOf(createCapsule, sealed);
    expect((await owner.get(`/api/capsules/${id}`)).text).not.toContain('for them all');
    await open(id);
    expect((await owner.get(`/api/capsules/${id}`)).text).toContain('for them all');
    await resetBy(server, main, 'of the owner');
    expect(codeOf(await latest.open())).toBe('CONTRIBUTION_LINK_INVALID');
    expect(codeOf(await latest.put(0))).toBe('CONTRIBUTION_LINK_INVALID');
    // One of before that week stays, until its owner ends it.
    expect(codeOf(await old.open())).toBe(200);
  },
  'the cookie of a device where the owner has signed in': async () => {
    const { owner, main, id } = await victim();
    const cookie = String(await owner.cookie('device'));
    const thief = await visit(server.url);
    await thief.jar.setCookie(`device=${cookie}; Path=/`, server.url);
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
    expect(codeOf(await thief.post('/auth/login', { email: main, password: THIEFS }))).toBe(NOT_IN);
    expect([main, owner.user.id].filter((name) => cookie.includes(name))).toEqual([]);
  },
  'a device where they registered your address, or set a password that you refused': async () => {
    const { owner, main, second } = await withSecond();
    const thief = await visit(server.url);
    await resetBy(server, main, THIEFS, thief);
    expect(codeOf(await answerFor(server, second, false))).toBe(200);
    expect(await thief.cookie('device')).toBeUndefined();
    const body = { asksOnNewDevices: true, password: PASSWORD };
    await addPasskeyTo(owner);
    expect(codeOf(await owner.put('/user/passkey-choice', body))).toBe(200);
    const login = { email: main, password: PASSWORD };
    expect(codeOf(await thief.post('/auth/login', login))).toBe('PASSKEY_REQUIRED');
    const registering = await visit(server.url);
    const form = { name: 'X', email: newAddress(), password: THIEFS };
    expect(codeOf(await registering.post('/auth/register', form))).toBe(201);
    expect(await registering.cookie('device')).toBeUndefined();
  },
  'a passkey, on a device that they can unlock': async () => {
    const { owner, main, id } = await victim();
    const { authenticator, passkey } = await addPasskeyTo(owner);
    const thief = await visit(server.url);
    const answer = async () => authenticator.get(await optionsFor(thief));
    expect(codeOf(await thief.post('/auth/passkey', await answer()))).toBe(200);
    expect(await reads(thief, id)).toBe(200);
    // Once the owner has removed it, it is worth nothing.
    const removal = { json: { password: PASSWORD } };
    await owner.request('DELETE', `/user/passkeys/${passkey.id}`, removal);
    await owner.request('DELETE', '/user/sessions', removal);
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
    expect((await thief.post('/auth/passkey', await answer())).json).toMatchObject({
      code: 'INVALID_PASSKEY',
      // Another try would be refused as well.
      message: expect.stringContaining('delete the passkey from your device'),
    });
    expect(await signsIn(main)).toBe(NOT_IN);
  },
  'an account at the identity provider that is linked': async () => {
    const { owner, main, id } = await victim();
    const person = provider.put({ email: newAddress(), email_verified: true });
    await linkTo(owner, person);
    const enter = async () => {
      const thief = await visit(server.url);
      const page = await passBy(thief, locationOf(await thief.get('/auth/oidc')), person);
      return { thief, page };
    };
    const { thief, page } = await enter();
    expect([page, await reads(thief, id)]).toEqual(['/auth/welcome', 200]);
    // Where there is a password, the provider's word is not taken in its place.
    const { url } = answerOf(askProvider, await thief.post('/auth/oidc', { page: '/profile' }));
    expect(await passBy(thief, url, person)).toBe('/profile?provider=PROVIDER_REFUSED');
    const body = { password: CONFIRMED, capsules: 'destroy' };
    expect(codeOf(await thief.post('/user/delete-account', body))).toBe('VALIDATION_FAILED');
    // Once the owner has unlinked it, it is worth nothing.
    const removal = { json: { password: PASSWORD } };
    await owner.request('DELETE', '/user/identity', removal);
    await owner.request('DELETE', '/user/sessions', removal);
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
    expect(await reads((await enter()).thief, id)).toBe('CAPSULE_NOT_FOUND');
    expect(await signsIn(main)).toBe(NOT_IN);
  },
  "an account at the identity provider with the owner's address": async () => {
    const { main, id } = await victim();
    for (const email_verified of [true, false]) {
      const person = provider.put({ email: main, email_verified });
      const thief = await visit(server.url);
      const page = await passBy(thief, locationOf(await thief.get('/auth/oidc')), person);
      expect([page, await reads(thief, id)]).toEqual([
        '/auth?provider=EMAIL_TAKEN',
        'UNAUTHENTICATED',
      ]);
    }
  },
  'the password, where the owner asks for a passkey on new devices': async () => {
    const { owner, main, id, authenticator } = await asking();
    const thief = await visit(server.url);
    const enter = (more = {}) =>
      thief.post('/auth/login', { email: main, password: PASSWORD, ...more });
    expect(codeOf(await enter())).toBe('PASSKEY_REQUIRED');
    expect(codeOf(await enter({ recoveryCode: '0000-0000-0000-0000' }))).toBe(
      'INVALID_RECOVERY_CODE',
    );
    const forged = authenticator.get(await optionsFor(thief), { isForged: true });
    expect(codeOf(await thief.post('/auth/passkey', forged))).toBe('INVALID_PASSKEY');
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
    expect(await reads(owner, id)).toBe(200);
  },
  'the main address, where it is the only one and asks for a passkey on new devices': async () => {
    const { main, id, authenticator } = await asking();
    expect((await resetBy(server, main, THIEFS)).countsFrom).toBeDefined();
    expect(await signsIn(main)).toBe(NOT_IN);
    const owner = await visit(server.url);
    const passkey = authenticator.get(await optionsFor(owner));
    expect(codeOf(await owner.post('/auth/passkey', passkey))).toBe(200);
    await waitAWeek();
    expect(await signsIn(main)).toBe(NOT_IN);
    expect(await reads(owner, id)).toBe(200);
    // If nobody signs in for a week, it takes the account.
    await resetBy(server, main, THIEFS);
    await waitAWeek();
    expect(await signsIn(main)).toBe(200);
  },
  'a recovery code': async () => {
    const { owner, main } = await withSecond();
    const answer = await owner.post('/user/recovery-codes', { password: PASSWORD });
    const [code] = answerOf(makeRecoveryCodes, answer).codes;
    const thief = await visit(server.url);
    const enter = (password: string) => thief.post('/auth/recovery-code', { code, password });
    expect(codeOf(await enter(PASSWORD))).toBe('INVALID_RECOVERY_CODE');
    // Not for a password that the owner has set and that they don't know.
    await resetBy(server, main, 'of the owner');
    expect(codeOf(await enter(THIEFS))).toBe('INVALID_RECOVERY_CODE');
    await resetBy(server, main, THIEFS);
    expect(codeOf(await enter(THIEFS))).toBe(200);
    expect(await signsIn(main)).toBe(200);
  },
  'a session that was ended by a reset, an undo or a sign-out': async () => {
    const ends: ((one: Awaited<ReturnType<typeof victim>>) => Promise<unknown>)[] = [
      ({ main }) => resetBy(server, main, 'a new one'),
      async ({ owner, main }) => {
        await moveTo(server, owner, newAddress());
        return undo(server, main);
      },
      ({ owner }) => owner.post('/auth/logout'),
    ];
    for (const end of ends) {
      const one = await victim();
      const cookies = await one.owner.jar.getCookieString(server.url);
      await end(one);
      const old = { headers: { cookie: cookies } };
      const answer = await (await visit(server.url)).request('GET', `/api/capsules/${one.id}`, old);
      expect(codeOf(answer)).toBe('UNAUTHENTICATED');
    }
  },
  'the password, without an address': async () => {
    const { main, id, second } = await withSecond();
    const thief = await visit(server.url);
    await thief.post('/auth/login', { email: main, password: PASSWORD });
    expect(await reads(thief, id)).toBe(200);
    // A new password of the owner's waits, and the thief ends its wait.
    await resetBy(server, main, 'of the owner');
    await signInAs(server, main);
    expect(codeOf(await answerFor(server, second, true))).toBe('INVALID_ADDRESS_LINK');
    const thiefs = newAddress();
    await moveTo(server, { ...thief, password: PASSWORD } as SignedIn, thiefs);
    expect(await signsIn(thiefs, PASSWORD)).toBe(200);
    expect(codeOf(await undo(server, main))).toBe(200);
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
    expect([await signsIn(thiefs, PASSWORD), await signsIn(main, PASSWORD)]).toEqual([
      NOT_IN,
      NOT_IN,
    ]);
    const other = await victim();
    const leaver = await visit(server.url);
    await leaver.post('/auth/login', { email: other.main, password: PASSWORD });
    const leave = { password: PASSWORD, capsules: 'destroy' };
    expect((await leaver.post('/user/delete-account', leave)).status).toBe(200);
  },
  'a forwarded email: verify-email': async () => {
    const email = newAddress();
    const thief = await visit(strict.url);
    await thief.post('/auth/register', { name: 'Owner', email, password: PASSWORD });
    const token = await tokenTo(strict, email, '/auth/verify-email');
    const answer = await thief.post('/auth/verify-email', { token });
    expect([answer.status, (await thief.get('/user/me')).status]).toEqual([200, 401]);
    expect(codeOf(await thief.post('/auth/login', { email, password: THIEFS }))).toBe(NOT_IN);
  },
  'a forwarded email: password-reset': async () => {
    const { main } = await withSecond();
    const thief = await visit(server.url);
    await thief.post('/auth/forgot-password', { email: main });
    const token = await tokenTo(server, main, '/auth/reset-password');
    const use = () => thief.post(`/auth/reset-password?token=${token}`, { password: THIEFS });
    expect((await use()).json).toHaveProperty('countsFrom');
    expect(codeOf(await use())).toBe('INVALID_RESET_TOKEN');
    expect(await signsIn(main)).toBe(NOT_IN);
    const alone = await victim();
    await resetBy(server, alone.main, THIEFS);
    expect(await signsIn(alone.main)).toBe(200);
    const late = await victim();
    await thief.post('/auth/forgot-password', { email: late.main });
    const dead = await tokenTo(server, late.main, '/auth/reset-password');
    server.clock.advance({ minutes: 5 });
    const answer = await thief.post(`/auth/reset-password?token=${dead}`, { password: THIEFS });
    expect(codeOf(answer)).toBe('INVALID_RESET_TOKEN');
  },
  'a forwarded email: password-changed': async () => {
    const { owner } = await victim();
    expect(secretsIn(await emailOf('password-changed', owner))).toEqual([]);
  },
  'a forwarded email: invitation': async () => {
    const { email, id } = await invited();
    const link = await server.mailedLink(email, '/auth');
    expect(await claimWith(link, email)).toBe(201);
    const thief = await visit(server.url);
    await thief.post('/auth/login', { email, password: THIEFS });
    expect(await reads(thief, id)).toBe(200);
    // Once the account is there, no invitation takes it.
    expect(await claimWith(link, email)).toBe('INVALID_INVITATION');
  },
  'a forwarded email: address-check': async () => {
    const { owner, main } = await victim();
    const mail = await emailOf('address-check', owner);
    expect(secretsIn(mail)).toEqual(['/auth/still-yours', TURN_OFF_PATH]);
    const token = secretIn(linksIn(mail)[0] as URL);
    const thief = await visit(server.url);
    const answer = await thief.post('/auth/still-yours', { token });
    expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ email: main })]);
    for (const path of ['/auth/confirm-email', '/auth/undo-email', '/auth/new-password']) {
      const other = await thief.post(path, { token, isMine: true });
      expect(codeOf(other)).toBe('INVALID_ADDRESS_LINK');
    }
    expect((await thief.get('/user/me')).status).toBe(401);
  },
  'a forwarded email: confirm-address': async () => {
    const { owner, id } = await victim();
    const after = newAddress();
    await askForMain(owner, after);
    const token = await tokenTo(server, after, '/auth/confirm-email');
    const thief = await visit(server.url);
    const seen = await thief.post('/auth/address-link', { token, purpose: 'confirm' });
    expect([seen.status, JSON.stringify(seen.json)]).toEqual([200, expect.stringContaining(after)]);
    expect(JSON.stringify(seen.json)).not.toContain(owner.user.email);
    expect(codeOf(await thief.post('/auth/confirm-email', { token }))).toBe(200);
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
    expect(await signsIn(after, PASSWORD)).toBe(200);
  },
  'a forwarded email: address-changed': async () => {
    const { owner, main, id } = await victim();
    await moveTo(server, owner, newAddress());
    // Whoever undoes it gets nothing by it: the link for a new password goes to the address of before.
    const undone = await undo(server, main);
    expect([codeOf(undone), undone.headers.getSetCookie().join()]).toEqual([200, '']);
    expect(await reads(owner, id)).toBe('UNAUTHENTICATED');
    expect(await server.mailedLink(main, '/auth/reset-password')).toBeDefined();
  },
  'a forwarded email: change-undone': async () => {
    const { owner } = await victim();
    expect(secretsIn(await emailOf('change-undone', owner))).toEqual([]);
  },
  'a forwarded email: password-waiting': async () => {
    const { main, second } = await withSecond();
    await resetBy(server, main, 'of the owner');
    expect(codeOf(await answerFor(server, second, true))).toBe(200);
    expect([await signsIn(main), await signsIn(main, 'of the owner')]).toEqual([NOT_IN, 200]);
    await resetBy(server, main, 'of the owner, too');
    expect(codeOf(await answerFor(server, second, false))).toBe(200);
    expect(await signsIn(main, 'of the owner')).toBe(200);
  },
  'a forwarded email: password-guessed': async () => {
    const { owner } = await victim();
    expect(secretsIn(await emailOf('password-guessed', owner))).toEqual([]);
  },
  'a forwarded email: new-device': async () => {
    const { owner } = await victim();
    expect(secretsIn(await emailOf('new-device', owner))).toEqual([]);
  },
  'a forwarded email: passkey-added': async () => {
    const { owner, main, id } = await victim();
    const { authenticator } = await addPasskeyTo(owner);
    await allSent(server);
    const mail = server.mailer.sent.findLast(({ kind }) => kind === 'passkey-added');
    expect(secretsIn(mail as Mail)).toEqual(['/auth/undo-passkey']);
    const thief = await visit(server.url);
    const token = await tokenTo(server, main, '/auth/undo-passkey');
    expect(codeOf(await thief.post('/auth/undo-passkey', { token }))).toBe(200);
    expect(await reads(owner, id)).toBe('UNAUTHENTICATED');
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
    const answer = authenticator.get(await optionsFor(thief));
    expect(codeOf(await thief.post('/auth/passkey', answer))).toBe('INVALID_PASSKEY');
  },
  'a forwarded email: identity-linked': async () => {
    const { owner, main, id } = await victim();
    const person = provider.put({ email: newAddress(), email_verified: true });
    await linkTo(owner, person);
    await allSent(server);
    const mail = server.mailer.sent.findLast(({ kind }) => kind === 'identity-linked');
    expect(secretsIn(mail as Mail)).toEqual(['/auth/undo-identity']);
    const thief = await visit(server.url);
    const token = await tokenTo(server, main, '/auth/undo-identity');
    expect(codeOf(await thief.post('/auth/undo-identity', { token }))).toBe(200);
    expect(await reads(owner, id)).toBe('UNAUTHENTICATED');
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
    await passBy(thief, locationOf(await thief.get('/auth/oidc')), person);
    expect(await reads(thief, id)).toBe('CAPSULE_NOT_FOUND');
  },
  'a forwarded email: passkey-choice': async () => {
    const { owner } = await victim();
    expect(secretsIn(await emailOf('passkey-choice', owner))).toEqual([]);
  },
  'a forwarded email: account-deleted': async () => {
    const { owner } = await victim();
    expect(secretsIn(await emailOf('account-deleted', owner))).toEqual([]);
  },
  'a forwarded email: deletion-announced': async () => {
    const { owner, main } = await victim();
    await runAdmin(server, ['delete-account', main, '--deliver', '--reason', 'asked', '--yes']);
    expect(secretsIn(await emailOf('deletion-announced', owner))).toEqual([]);
  },
  'a forwarded email: capsule-deleted': async () => {
    const { owner } = await victim();
    const friend = await signUp(server.url, `Friend ${randomUUID().slice(0, 8)}`);
    const { id } = await seal(owner, friend, { dateToUnlock: '2040-01-01' });
    expect(codeOf(await owner.delete(`/api/capsules/${id}`))).toBe(200);
    await allSent(server);
    const mail = server.mailer.sent.findLast(({ kind }) => kind === 'capsule-deleted');
    expect(secretsIn(mail as Mail)).toEqual(['/auth/restore-capsule']);
    // It brings the capsule back for its people, and shows a stranger nothing.
    const thief = await visit(server.url);
    const token = secretIn(new URL(String(mail?.link)));
    expect(codeOf(await thief.post('/auth/restore-capsule', { token }))).toBe(200);
    expect(await reads(owner, id)).toBe(200);
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
  },
  'a forwarded email: report': async () => {
    const { owner } = await victim();
    const { deps } = server;
    const person = await signUp(server.url, `Reported ${randomUUID().slice(0, 8)}`);
    const row = { reason: 'spam' as const, text: '', createdAt: deps.clock.now() };
    const ids = { id: randomUUID(), reporterId: owner.user.id, userId: person.user.id };
    await deps.db.insert(reports).values({ ...row, ...ids });
    const to = { id: null, email: newAddress(), aboutId: ids.id };
    await queueEmails(deps.db, deps, 'report', [to]);
    await queueEmails(deps.db, deps, 'reports-together', [{ id: null, email: to.email }]);
    deps.mailQueued();
    await allSent(server);
    const mails = server.mailer.sent.filter((one) => one.to === to.email);
    expect(mails.map(secretsIn)).toEqual([[], []]);
    await queueEmails(deps.db, deps, 'report-answered', [{ ...owner.user, aboutId: ids.id }]);
    deps.mailQueued();
    await allSent(server);
  },
  'a forwarded email: reports-together': async () => {
    const together = server.mailer.sent.findLast(({ kind }) => kind === 'reports-together');
    expect(secretsIn(together as Mail)).toEqual([]);
  },
  'a forwarded email: report-answered': async () => {
    const answered = server.mailer.sent.findLast(({ kind }) => kind === 'report-answered');
    expect(secretsIn(answered as Mail)).toEqual([]);
  },
  'a forwarded email: capsule-waiting': async () => {
    const { owner, id } = await victim();
    await isOfNoUse(await emailOf('capsule-waiting', owner, id), id);
  },
  'a forwarded email: capsule-opened': async () => {
    const { owner, id } = await victim();
    await open(id);
    await isOfNoUse(await emailOf('capsule-opened', owner, id), id);
    // To an invited person it is an invitation as well.
    const one = await invited();
    await open(one.id);
    const mail = await emailOf('capsule-opened', one.user, one.id);
    expect(await claimWith(new URL(String(mail.link)), one.email)).toBe(201);
  },
  'a forwarded email: capsule-reminder': async () => {
    const { owner, id } = await victim();
    await open(id);
    await isOfNoUse(await emailOf('capsule-reminder', owner, id), id);
  },
  'a forwarded email: contribution-added': async () => {
    const { owner, main } = await victim();
    const draft = await newDraft(owner);
    const writer = new Writer(server.url, await newLink(owner, draft));
    await writer.save(0, { letter: 'only for the day' });
    await allSent(server);
    const mail = server.mailer.sent.findLast(({ to, text }) => to === main && /Grandpa/.test(text));
    expect(mail?.text).not.toContain('only for the day');
    expect(mail && linksIn(mail).map(({ pathname }) => pathname)).toContain('/create');
    expect(mail && secretsIn(mail)).toEqual([]);
    const thief = await visit(server.url);
    expect(codeOf(await thief.get('/api/drafts'))).toBe('UNAUTHENTICATED');
  },
  'the link of a calendar entry': async () => {
    const { id } = await victim();
    const thief = await visit(server.url);
    expect(codeOf(await thief.get(`/api/capsules/${id}/calendar.ics`))).toBe('UNAUTHENTICATED');
  },
  'the link to add to a draft': async () => {
    const { owner } = await victim();
    const draft = await newDraft(owner);
    const token = await newLink(owner, draft, { words: 'Dear all' });
    const honest = new Writer(server.url, token);
    await honest.save(0, { letter: 'only for the day' });
    const thief = new Writer(server.url, token);
    const { text } = await thief.open();
    expect(text).toContain('Dear all');
    expect(text).not.toMatch(/Dear Mia|only for the day|Grandpa/);
    expect(await thief.save(0, { name: 'Mallory' })).toBe(1);
    for (const path of [honest.path, `/api/drafts/${draft}/contributions`, '/api/drafts']) {
      expect((await thief.request('GET', path)).status).toBeGreaterThanOrEqual(400);
    }
    expect(codeOf(await owner.delete(linkPath(draft)))).toBe(200);
    expect(codeOf(await new Writer(server.url, token).put(0))).toBe('CONTRIBUTION_LINK_INVALID');
    const theirs = `/api/drafts/${draft}/contributions/${thief.id}`;
    expect(codeOf(await owner.delete(theirs))).toBe(200);
    expect(codeOf(await thief.put(1))).toBe('CONTRIBUTION_NOT_FOUND');
    expect(codeOf(await sealDraft(owner, draft, { dateToUnlock: '2040-01-01' }))).toBe(201);
    expect(codeOf(await new Writer(server.url, token).open())).toBe('CONTRIBUTION_LINK_INVALID');
  },
  'the personal link of somebody who has added': async () => {
    const { owner } = await victim();
    const draft = await newDraft(owner);
    const token = await newLink(owner, draft);
    const [writer, other] = [new Writer(server.url, token), new Writer(server.url, token)];
    await writer.save(0);
    await other.save(0);
    // Whoever has the link has its id and secret too.
    const { id, secret, path } = writer;
    const thief = Object.assign(new Writer(server.url), { id, secret, path });
    expect(await thief.own()).toMatchObject({ letter: 'A blessing' });
    expect(codeOf(await thief.request('GET', other.path))).toBe('CONTRIBUTION_NOT_FOUND');
    expect(await thief.save(1, { letter: 'changed' })).toBe(2);
    expect(codeOf(await sealDraft(owner, draft, { dateToUnlock: '2040-01-01' }))).toBe(201);
    expect(await thief.own()).toEqual({ state: 'sealed', arrived: [] });
    expect(codeOf(await thief.request('DELETE', path))).toBe('CONTRIBUTION_TOO_LATE');
  },
  'a link that turns notices off': async () => {
    const { owner, id } = await victim();
    const mail = await emailOf('capsule-waiting', owner, id);
    const link = linksIn(mail).find(({ pathname }) => pathname === TURN_OFF_PATH);
    const thief = await visit(server.url);
    const token = secretIn(link as URL);
    expect((await thief.post('/auth/notices-off', { token })).status).toBe(200);
    const choices = { waiting: false, opened: true };
    expect((await owner.get('/user/notices')).json).toMatchObject(choices);
    expect(await reads(thief, id)).toBe('UNAUTHENTICATED');
    expect((await owner.put('/user/notices', ALL)).json).toMatchObject(ALL);
  },
  'an export': async () => {
    const { owner, id } = await victim();
    const text = async () => {
      const { bytes } = await owner.get('/user/export');
      return String((await unzip(bytes)).get('time-capsule.json'));
    };
    expect(await text()).not.toContain('I was here.');
    await open(id);
    expect(await text()).toContain('I was here.');
  },
  "the operator's command": async () => {
    const { owner, main, id } = await victim();
    const change = ['change-address', '--from', main, '--to', newAddress(), '--reason', 'asked'];
    const { ok } = await runAdmin(server, change);
    expect(ok).toBe(true);
    server.deps.mailQueued();
    expect(codeOf(await undo(server, main))).toBe(200);
    expect(await addressesFor(owner)).toMatchObject({ email: main, pending: [] });
    expect([await reads(owner, id), await signsIn(main, PASSWORD)]).toEqual([200, 200]);
  },
  'the link that an operator has made by `invite`': async () => {
    const email = newAddress();
    const { lines } = await runAdmin(strict, ['invite', email, '--yes', '--json']);
    const invitation = secretIn(new URL(JSON.parse(lines.join(''))[0].link), 'invitation');
    const thief = await visit(strict.url);
    const account = { name: 'Thief', email, password: THIEFS, invitation };
    const another = { ...account, email: newAddress() };
    expect(codeOf(await thief.post('/auth/register', another))).toBe('VALIDATION_FAILED');
    expect(codeOf(await thief.post('/auth/register', account))).toBe(201);
    expect(codeOf(await signInAs(strict, email, THIEFS))).toBe('EMAIL_NOT_VERIFIED');
    expect(codeOf(await thief.post('/auth/register', account))).toBe('INVALID_INVITATION');
  },
  'the password of a suspended account': async () => {
    const { main } = await victim();
    await runAdmin(server, ['suspend', main, '--reason', 'stolen', '--yes']);
    const SUSPENDED = 'ACCOUNT_SUSPENDED';
    expect([await signsIn(main), await signsIn(main, PASSWORD)]).toEqual([NOT_IN, SUSPENDED]);
    await resetBy(server, main, THIEFS);
    expect([await signsIn(main), await signsIn(main, PASSWORD)]).toEqual([SUSPENDED, NOT_IN]);
  },
  'an account that they registered with your address, where nobody has to confirm one':
    async () => {
      const thief = await signUp(server.url, `Thief ${randomUUID()}`.slice(0, 40), THIEFS);
      const main = thief.user.email;
      const [first, thiefs] = [newAddress(), newAddress()];
      for (const email of [first, thiefs]) {
        await askForSecond(thief, email, THIEFS);
        await confirm(server, email);
      }
      // An undo by an address of theirs confirms nothing either.
      const away = newAddress();
      await askForMain(thief, away, THIEFS);
      await confirm(server, away, thief);
      expect(codeOf(await undo(server, thiefs))).toBe(200);
      expect((await rowOf(main))?.emailVerifiedAt).toBeNull();
      expect((await resetBy(server, thiefs, THIEFS)).countsFrom).toBeDefined();
      expect((await resetBy(server, main, 'of the owner')).countsFrom).toBeUndefined();
      await allSent(server);
      const told = server.mailer.sent.filter(
        ({ to, kind }) => to === thiefs && kind === 'password-changed',
      );
      expect(told.map(({ text }) => text).join()).toContain(
        "doesn't belong to the account any more",
      );
      expect([await signsIn(main), await signsIn(main, 'of the owner')]).toEqual([NOT_IN, 200]);
      expect(codeOf(await thief.get('/user/addresses'))).toBe('UNAUTHENTICATED');
      for (const email of [first, thiefs, away]) {
        await forgetEmails(server);
        await (await visit(server.url)).post('/auth/forgot-password', { email });
        await allSent(server);
        expect(server.mailer.sent).toEqual([]);
      }
      const owner = await visit(server.url);
      await owner.post('/auth/login', { email: main, password: 'of the owner' });
      const own = { email: main, isConfirmed: true, secondEmail: null, pending: [] };
      expect(await addressesFor(owner)).toMatchObject(own);
      expect((await resetBy(server, main, 'of the owner, too')).countsFrom).toBeUndefined();
    },
  'a new main address with a typo, confirmed by a stranger': async () => {
    const { owner, main, id } = await victim();
    const [strangers, meant] = [newAddress(), newAddress()];
    await moveTo(server, owner, strangers);
    expect((await resetBy(server, strangers, THIEFS)).countsFrom).toBeDefined();
    expect(codeOf(await answerFor(server, main, false))).toBe(200);
    expect(await reads(owner, id)).toBe(200);
    await moveTo(server, owner, meant);
    // The stranger's address is one of before now, and undoes that; the first one undoes all of it.
    expect(codeOf(await undo(server, strangers))).toBe(200);
    await resetBy(server, strangers, THIEFS);
    expect(codeOf(await undo(server, main))).toBe(200);
    expect([await signsIn(strangers), await signsIn(main)]).toEqual([NOT_IN, NOT_IN]);
    expect((await resetBy(server, main, 'of the owner')).countsFrom).toBeUndefined();
    expect(await signsIn(main, 'of the owner')).toBe(200);
  },
  'a second address with a typo, confirmed by a stranger': async () => {
    const { main, second: strangers } = await withSecond();
    await resetBy(server, strangers, THIEFS);
    expect(await signsIn(main)).toBe(NOT_IN);
    expect(await signsIn(main, PASSWORD)).toBe(200);
    await waitAWeek();
    expect(await signsIn(main)).toBe(NOT_IN);
    await resetBy(server, main, 'of the owner');
    expect(codeOf(await answerFor(server, strangers, false))).toBe(200);
  },
};

describe('somebody who has', () => {
  it.each(Object.keys(ROWS))('%s [32.addresses.6]', async (row) => ROWS[row]?.());
});

it('no link in any email has a secret where a proxy would log it, but that of a reset', () => {
  const sent = new Set(everySent.map(({ kind }) => kind));
  expect(KIND_NAMES.filter((kind) => !sent.has(kind))).toEqual([]);
  const logged = everySent.flatMap(linksIn).filter(({ searchParams }) => {
    return searchParams.has('token') || searchParams.has('invitation');
  });
  expect([...new Set(logged.map(({ pathname }) => pathname))]).toEqual(['/auth/reset-password']);
});

it('the table of thieves is the one in docs/security.md, and has every kind of email [32.addresses.6]', async () => {
  const security = await readFile(join(projectRoot, 'docs', 'security.md'), 'utf8');
  const table = security.split('## Thieves')[1]?.split('\n## ')[0] ?? '';
  const rows = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name).slice(1);
  expect(rows).toEqual(Object.keys(ROWS));
  const forwarded = KIND_NAMES.map((kind) => `a forwarded email: ${kind}`);
  expect(forwarded.filter((row) => !rows.includes(row))).toEqual([]);
});
