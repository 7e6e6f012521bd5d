import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { deleteExpired } from '../../server/db/accounts/sweep.ts';
import { accountChanges, users } from '../../server/db/schema.ts';
import { changeAddress } from '../../server/domain/accounts/addresses.ts';
import { queueEmails, toEach } from '../../server/domain/emails/queue.ts';
import { DAY_MS, PASSWORD_WAITS_DAYS, SAY_DAYS, UNDO_DAYS } from '../../shared/limits.ts';
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
  moveTo,
  newAddress,
  resetBy,
  signInAs,
  tokenTo,
  undo,
  visit,
} from '../support/addresses.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({ realPasswords: true, clock: '2029-06-01T12:00:00Z' });
const WAIT_MS = PASSWORD_WAITS_DAYS * DAY_MS;
const NEW = 'a new one';
const isPassword = eq(accountChanges.slot, 'password');

/** Lets the wait of every new password end. */
async function waitAWeek() {
  server.clock.advance({ ms: WAIT_MS });
  await server.activateChanges();
}

async function withSecond() {
  const ada = await signUp(server.url, `Ada ${randomUUID()}`.slice(0, 40));
  const second = await addSecond(server, ada);
  await allSent(server);
  return { ada, main: ada.user.email, second };
}

const askedOf = (email: string) =>
  server.mailer.sent.filter(({ to, kind }) => to === email && kind === 'password-waiting').length;
const mailTo = (email: string, kind: string) =>
  server.mailer.sent.find((mail) => mail.to === email && mail.kind === kind);
const tries = async (email: string, password?: string) =>
  codeOf(await signInAs(server, email, password));

describe('a new password of a person with two addresses', () => {
  it('waits for the address to which its link did not go', async () => {
    const { ada, main, second } = await withSecond();
    const before = server.clock.now().getTime();
    const { answer, countsFrom } = await resetBy(server, main, NEW);
    expect(answer.status).toBe(200);
    expect(new Date(String(countsFrom)).getTime() - before).toBeGreaterThanOrEqual(WAIT_MS);
    await allSent(server);
    expect([askedOf(main), askedOf(second)]).toEqual([0, 1]);
    expect(await tries(main, NEW)).toBe('INVALID_CREDENTIALS');
    expect((await ada.get('/user/me')).json).toMatchObject({ passwordWaitsUntil: countsFrom });
    expect(await addressesFor(ada)).toMatchObject({ passwordWaitsUntil: countsFrom });
    expect((await ada.get(`/community/public-profile?userId=${ada.user.id}`)).text).not.toContain(
      'passwordWaits',
    );
  });

  it('counts at once when that address says yes, and ends every session [32.addresses.5]', async () => {
    const { ada, main, second } = await withSecond();
    await resetBy(server, second, NEW);
    const token = await tokenTo(server, main, '/auth/new-password');
    const visitor = await visit(server.url);
    const yes = { token, isMine: true };
    expect(codeOf(await visitor.post('/auth/new-password', yes))).toBe(200);
    expect((await ada.get('/user/me')).status).toBe(401);
    expect([await tries(main), await tries(main, NEW)]).toEqual(['INVALID_CREDENTIALS', 200]);
    expect(codeOf(await visitor.post('/auth/new-password', yes))).toBe('INVALID_ADDRESS_LINK');
    for (const email of [main, second]) await server.mailedLink(email, '/auth/forgot-password');
  });

  it('is gone when that address says no', async () => {
    const { ada, main, second } = await withSecond();
    await resetBy(server, main, NEW);
    expect(codeOf(await answerFor(server, second, false))).toBe(200);
    expect(codeOf(await answerFor(server, second, true))).toBe('INVALID_ADDRESS_LINK');
    expect((await ada.get('/user/me')).json).not.toHaveProperty('passwordWaitsUntil');
    await waitAWeek();
    expect([await tries(main, NEW), await tries(main)]).toEqual(['INVALID_CREDENTIALS', 200]);
  });

  it('takes effect after seven days without an answer, ends every session and is told', async () => {
    const { ada, main, second } = await withSecond();
    await resetBy(server, main, NEW);
    const late = await tokenTo(server, second, '/auth/new-password');
    server.clock.advance({ ms: WAIT_MS - 60_000 });
    await server.activateChanges();
    expect(await tries(main, NEW)).toBe('INVALID_CREDENTIALS');
    server.clock.advance({ ms: 60_000 });
    expect(await tries(main, NEW)).toBe('INVALID_CREDENTIALS');
    expect((await ada.get('/user/me')).status).toBe(200);
    await server.activateChanges();
    expect((await ada.get('/user/me')).status).toBe(401);
    const visitor = await visit(server.url);
    const answer = await visitor.post('/auth/new-password', { token: late, isMine: false });
    expect(codeOf(answer)).toBe('INVALID_ADDRESS_LINK');
    expect([await tries(main), await tries(main, NEW)]).toEqual(['INVALID_CREDENTIALS', 200]);
    expect(
      await server.deps.db.$count(
        accountChanges,
        and(eq(accountChanges.userId, ada.user.id), isPassword),
      ),
    ).toBe(0);
    await allSent(server);
    for (const email of [main, second]) expect(mailTo(email, 'password-changed')).toBeDefined();
  });

  it('can be stopped with the old one until it takes effect, even after the week', async () => {
    const { ada, main } = await withSecond();
    await resetBy(server, main, NEW);
    server.clock.advance({ ms: WAIT_MS });
    expect(await addressesFor(ada)).not.toMatchObject({ passwordWaitsUntil: null });
    expect(await tries(main)).toBe(200);
    await server.activateChanges();
    expect([await tries(main, NEW), await tries(main)]).toEqual(['INVALID_CREDENTIALS', 200]);
  });

  it('is given up by a sign-in with the old one', async () => {
    const { main, second } = await withSecond();
    await resetBy(server, main, NEW);
    const token = await tokenTo(server, second, '/auth/new-password');
    const signedIn = await signInAs(server, main);
    expect(signedIn.json).toMatchObject({ user: { email: main } });
    expect(signedIn.text).not.toContain('passwordWaitsUntil');
    const visitor = await visit(server.url);
    const late = await visitor.post('/auth/new-password', { token, isMine: true });
    expect(codeOf(late)).toBe('INVALID_ADDRESS_LINK');
    await waitAWeek();
    expect([await tries(main, NEW), await tries(main)]).toEqual(['INVALID_CREDENTIALS', 200]);
  });

  it('is given up where the old one is asked for, too', async () => {
    const { ada, main } = await withSecond();
    await resetBy(server, main, NEW);
    const { addresses } = await askForSecond(ada, null);
    expect(addresses).toMatchObject({ secondEmail: null, passwordWaitsUntil: null });
  });

  it('is stopped with the old one by who is signed in already', async () => {
    const { ada, main, second } = await withSecond();
    await resetBy(server, main, NEW);
    const stop = (password: string) => ada.post('/user/addresses/stop-password', { password });
    expect(codeOf(await stop(NEW))).toBe('VALIDATION_FAILED');
    expect(await addressesFor(ada)).not.toMatchObject({ passwordWaitsUntil: null });
    expect((await stop(PASSWORD)).json).toMatchObject({ passwordWaitsUntil: null });
    expect(codeOf(await answerFor(server, second, true))).toBe('INVALID_ADDRESS_LINK');
    await waitAWeek();
    expect([await tries(main, NEW), await tries(main)]).toEqual(['INVALID_CREDENTIALS', 200]);
  });

  it('replaces an earlier one, about which nobody can answer any more', async () => {
    const { main, second } = await withSecond();
    await resetBy(server, second, 'of a thief');
    const aboutThief = await tokenTo(server, main, '/auth/new-password');
    await resetBy(server, main, NEW);
    // Or whoever sets a password could agree to it themself.
    const visitor = await visit(server.url);
    const own = await visitor.post('/auth/new-password', { token: aboutThief, isMine: true });
    expect(codeOf(own)).toBe('INVALID_ADDRESS_LINK');
    expect(codeOf(await answerFor(server, second, true))).toBe(200);
    expect([await tries(main, 'of a thief'), await tries(main, NEW)]).toEqual([
      'INVALID_CREDENTIALS',
      200,
    ]);
  });

  it('is asked about by no email that its own address still had to get', async () => {
    const { ada, main } = await withSecond();
    await resetBy(server, main, NEW);
    await allSent(server);
    const { db } = server.deps;
    await queueEmails(db, server.deps, 'password-waiting', toEach(ada.user.id, [main]));
    server.deps.mailQueued();
    await allSent(server);
    expect(askedOf(main)).toBe(0);
  });

  it('is asked about by no email to an address that has no say any more', async () => {
    const { ada, main } = await withSecond();
    await resetBy(server, main, NEW);
    const gone = newAddress();
    const { db } = server.deps;
    await queueEmails(db, server.deps, 'password-waiting', toEach(ada.user.id, [gone]));
    server.deps.mailQueued();
    await allSent(server);
    expect(askedOf(gone)).toBe(0);
  });

  it('is gone when an address is confirmed that was not asked about it', async () => {
    const { ada, main } = await withSecond();
    const wanted = newAddress();
    await askForMain(ada, wanted);
    await resetBy(server, main, NEW);
    await confirm(server, wanted);
    await waitAWeek();
    expect([await tries(wanted, NEW), await tries(wanted)]).toEqual(['INVALID_CREDENTIALS', 200]);
  });

  it('ends the changes of addresses that were asked for with the one before', async () => {
    const ada = await signUp(server.url, `Ada ${randomUUID()}`.slice(0, 40));
    const [wanted, second] = [newAddress(), newAddress()];
    await askForMain(ada, wanted);
    await askForSecond(ada, second);
    const tokens = await Promise.all(
      [wanted, second].map((email) => tokenTo(server, email, '/auth/confirm-email')),
    );
    await resetBy(server, ada.user.email, NEW);
    const visitor = await visit(server.url);
    for (const token of tokens) {
      const answer = await visitor.post('/auth/confirm-email', { token });
      expect(codeOf(answer)).toBe('INVALID_ADDRESS_LINK');
    }
  });

  it('lets no change of addresses begin that was asked for with the one before', async () => {
    const { ada, second } = await withSecond();
    const { db, limits } = server.deps;
    const setMeanwhile = async (counted: string) => {
      if (counted !== 'addressChange') return;
      const change = { passwordHash: 'another one' };
      await db.update(users).set(change).where(eq(users.id, ada.user.id));
    };
    const deps = { ...server.deps, limits: { ...limits, take: setMeanwhile } };
    const actor = { userId: ada.user.id, sessionId: '' };
    const removed = { slot: 'second' as const, email: null, password: PASSWORD };
    await expect(changeAddress(deps, actor, removed)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    const [row] = await db.select().from(users).where(eq(users.id, ada.user.id));
    expect(row?.secondEmail).toBe(second);
  });

  it('has one answer of two that come at once', async () => {
    const { main, second } = await withSecond();
    await resetBy(server, main, NEW);
    const token = await tokenTo(server, second, '/auth/new-password');
    const visitor = await visit(server.url);
    const answers = await Promise.all(
      [true, false].map((isMine) => visitor.post('/auth/new-password', { token, isMine })),
    );
    expect(answers.map(codeOf).map(String).sort()).toEqual(['200', 'INVALID_ADDRESS_LINK']);
    const counts = codeOf(answers[0] ?? { status: 0, json: {} }) === 200;
    expect(await tries(main, NEW)).toBe(counts ? 200 : 'INVALID_CREDENTIALS');
  });

  rare('and the old one never both count, whoever is first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { main, second } = await withSecond();
      await resetBy(server, main, NEW);
      const token = await tokenTo(server, second, '/auth/new-password');
      const visitor = await visit(server.url);
      const yes = visitor.post('/auth/new-password', { token, isMine: true });
      const signedIn = await Promise.all(Array.from({ length: 3 }, () => signInAs(server, main)));
      const counts = (await yes).status === 200;
      expect(await tries(main, NEW)).toBe(counts ? 200 : 'INVALID_CREDENTIALS');
      expect(await tries(main)).toBe(counts ? 'INVALID_CREDENTIALS' : 200);
      if (!counts) expect(signedIn.map(codeOf)).toContain(200);
    }
  });
});

describe('a link for a new password', () => {
  it('to a second address is of its account, unless it is a confirmed main one', async () => {
    const { ada, second } = await withSecond();
    const visitor = await visit(server.url);
    const stranger = { name: 'Stranger', email: second, password: PASSWORD };
    expect((await visitor.post('/auth/register', stranger)).status).toBe(201);
    await resetBy(server, second, NEW);
    const { db } = server.deps;
    const ofAda = and(eq(accountChanges.userId, ada.user.id), isPassword);
    expect(await db.$count(accountChanges, ofAda)).toBe(1);
    await db.delete(accountChanges);
    const confirmed = { emailVerifiedAt: server.clock.now() };
    await db.update(users).set(confirmed).where(eq(users.email, second));
    await resetBy(server, second, NEW);
    expect(await db.$count(accountChanges, isPassword)).toBe(0);
    expect(await tries(second, NEW)).toBe(200);
  });

  it('to a second address does not confirm the main one', async () => {
    const { ada, main, second } = await withSecond();
    await server.deps.db
      .update(users)
      .set({ emailVerifiedAt: null })
      .where(eq(users.id, ada.user.id));
    await resetBy(server, second, NEW);
    await answerFor(server, main, true);
    const [row] = await server.deps.db.select().from(users).where(eq(users.id, ada.user.id));
    expect(row?.emailVerifiedAt).toBeNull();
  });
});

describe('also asked about a new password', () => {
  it('is an address of before, as long as it can undo', async () => {
    const { ada, main, second } = await withSecond();
    await askForSecond(ada, null);
    const after = newAddress();
    await moveTo(server, ada, after);
    expect((await resetBy(server, after, NEW)).countsFrom).toBeDefined();
    await allSent(server);
    expect([askedOf(main), askedOf(second)]).toEqual([1, 1]);
    await answerFor(server, second, false);
    server.clock.advance({ ms: UNDO_DAYS * DAY_MS });
    expect((await resetBy(server, after, NEW)).countsFrom).toBeUndefined();
    expect(await tries(after, NEW)).toBe(200);
  });

  it('is no address that came by a change which was undone within the hour', async () => {
    const ada = await signUp(server.url, `Ada ${randomUUID()}`.slice(0, 40));
    await confirmMain(server, ada);
    const [before, thiefs] = [ada.user.email, newAddress()];
    await moveTo(server, ada, thiefs);
    server.clock.advance({ ms: 59 * 60_000 });
    await undo(server, before);
    expect((await resetBy(server, before, NEW)).countsFrom).toBeUndefined();
    expect(await tries(before, NEW)).toBe(200);
    expect(mailTo(thiefs, 'change-undone')?.text).not.toContain("we'll ask you here");
    expect(mailTo(thiefs, 'password-waiting')).toBeUndefined();
  });

  it('is an address of which a change was undone, for seven days', async () => {
    const ada = await signUp(server.url, `Ada ${randomUUID()}`.slice(0, 40));
    await confirmMain(server, ada);
    const [before, after] = [ada.user.email, newAddress()];
    await moveTo(server, ada, after);
    server.clock.advance({ ms: 3_600_000 });
    await undo(server, before);
    await allSent(server);
    expect(mailTo(after, 'change-undone')?.text).toContain("we'll ask you here");
    // It may be a thief who has undone it.
    server.clock.advance({ ms: SAY_DAYS * DAY_MS - 60_000 });
    await resetBy(server, before, 'of a thief');
    expect(codeOf(await answerFor(server, after, false))).toBe(200);
    await waitAWeek();
    expect(await tries(before, 'of a thief')).toBe('INVALID_CREDENTIALS');
    expect((await resetBy(server, before, NEW)).countsFrom).toBeUndefined();
    expect(await tries(before, NEW)).toBe(200);
    server.clock.advance({ ms: 31 * DAY_MS });
    await deleteExpired(server.deps.db, server.clock.now());
    const ofAda = eq(accountChanges.userId, ada.user.id);
    expect(await server.deps.db.$count(accountChanges, ofAda)).toBe(0);
  });

  it('says in the link for a new one that the old one has ended, however often it is asked for', async () => {
    const ada = await signUp(server.url, `Ada ${randomUUID()}`.slice(0, 40));
    const before = ada.user.email;
    await moveTo(server, ada, newAddress());
    await undo(server, before);
    await allSent(server);
    await (await visit(server.url)).post('/auth/forgot-password', { email: before });
    await allSent(server);
    const links = server.mailer.sent.filter(
      ({ to, kind }) => to === before && kind === 'password-reset',
    );
    expect(links.map(({ text }) => text.includes("doesn't work any more"))).toEqual([true, true]);
    // Each says why it came.
    expect(links.map(({ text }) => text.includes('because someone undid'))).toEqual([true, false]);
  });
});
