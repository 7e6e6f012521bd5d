import { randomUUID } from 'node:crypto';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createClientLimits } from '../../server/client-limits.ts';
import { deleteExpired } from '../../server/db/accounts/sweep.ts';
import { updateUser } from '../../server/db/accounts/users.ts';
import {
  accountChanges,
  capsuleRecipients,
  emails,
  invitations,
  linkTokens,
  notices,
  sendings,
  users,
} from '../../server/db/schema.ts';
import { type Capsule, getCapsule } from '../../shared/api/capsules.ts';
import { DAY_MS, UNDO_DAYS } from '../../shared/limits.ts';
import {
  addressesFor,
  addSecond,
  allSent,
  askForMain,
  askForSecond,
  codeOf,
  confirm,
  forgetEmails,
  moveTo,
  newAddress,
  signInAs,
  tokenTo,
  undo,
  visit,
} from '../support/addresses.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import { answerOf, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { secretIn } from '../support/links.ts';
import { rare } from '../support/rare.ts';
import { sharedServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { unzip } from '../support/unzip.ts';

const CLOCK = '2029-06-01T12:00:00Z';
const server = sharedServer({ clock: CLOCK });

const join = (name: string) => signUp(server.url, `${name} ${randomUUID()}`.slice(0, 40));
const emailsTo = (email: string) => server.mailer.sent.filter(({ to }) => to === email);
const rowOf = async ({ id }: { id: string }) =>
  (await server.deps.db.select().from(users).where(eq(users.id, id)))[0];
const errorsOf = ({ json }: { json: unknown }) => (json as { errors: object }).errors;

describe('the main address', () => {
  it('changes by a link to the new one, which works once [32.addresses.1]', async () => {
    const ada = await join('Ada');
    const [before, after] = [ada.user.email, newAddress()];
    const asked = await askForMain(ada, after);
    expect(asked.addresses).toMatchObject({
      email: before,
      pending: [{ which: 'main', email: after }],
    });
    const token = await tokenTo(server, after, '/auth/confirm-email');
    const visitor = await visit(server.url);
    expect((await visitor.get('/auth/confirm-email')).status).not.toBe(200);
    expect(await addressesFor(ada)).toMatchObject({ email: before });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => visitor.post('/auth/confirm-email', { token })),
    );
    const codes = answers.map(codeOf);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 'INVALID_ADDRESS_LINK')).toHaveLength(9);
    expect(await addressesFor(ada)).toEqual({
      email: after,
      isConfirmed: true,
      bouncedAt: null,
      secondEmail: null,
      pending: [],
      passwordWaitsUntil: null,
    });
    expect(codeOf(await signInAs(server, before))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await signInAs(server, after))).toBe(200);
    await server.mailedLink(before, '/auth/undo-email');
    // The one before may be somebody else's by now.
    expect(
      emailsTo(before)
        .map(({ text }) => text)
        .join(),
    ).not.toContain(after);
  });

  it('is confirmed where nobody had to, and each text says what it does', async () => {
    const ada = await join('Ada');
    const after = newAddress();
    const answers: Awaited<ReturnType<typeof confirm>>[] = [];
    for (const email of [ada.user.email, after]) {
      await askForMain(ada, email);
      answers.push(await confirm(server, email, ada));
    }
    const message = expect.stringContaining(`${after} is your main address now.`);
    const still = expect.stringContaining(`${ada.user.email} is still your main address`);
    const confirmed = { message: still, canUndo: false };
    expect(answers).toMatchObject([confirmed, { message, canUndo: true }]);
    const asking = [ada.user.email, after].map((email) =>
      emailsTo(email).find(({ kind }) => kind === 'confirm-address'),
    );
    const main = `You asked us to confirm ${ada.user.email}, the main address of your account.`;
    expect(asking[0]?.text).toContain(main);
    expect(asking[1]?.text).toContain(
      `You asked us to make ${after} the main address of your account, in place of the one it has now.`,
    );
  });

  it('changes places with the second one, and says so', async () => {
    const ada = await join('Ada');
    const second = await addSecond(server, ada);
    await askForMain(ada, second);
    const { message } = await confirm(server, second, ada);
    expect(message).toContain(`${second} is your main address now, and the old one your second.`);
    expect(await addressesFor(ada)).toMatchObject({ email: second, secondEmail: ada.user.email });
    await undo(server, ada.user.email);
    expect(await rowOf(ada.user)).toMatchObject({ email: ada.user.email, secondEmail: second });
  });

  it('is named by its links as by their emails, until they are used', async () => {
    const ada = await join('Ada');
    const [main, second, third] = [ada.user.email, newAddress(), newAddress()];
    const look = async (purpose: 'confirm' | 'undo', email: string) => {
      const token = await tokenTo(server, email, `/auth/${purpose}-email`);
      const answer = await (await visit(server.url)).post('/auth/address-link', { token, purpose });
      if (answer.status !== 200) return codeOf(answer);
      const { message } = answer.json as { message: string };
      // Nobody learns more by the link than its email has said.
      expect(emailsTo(email).at(-1)?.text).toContain(message.replace(/\.$/, ''));
      return message;
    };
    await askForSecond(ada, second);
    expect(await look('confirm', second)).toBe(
      `You asked us to make ${second} the second address of your account.`,
    );
    await confirm(server, second);
    expect(await look('confirm', second)).toBe('INVALID_ADDRESS_LINK');
    expect(await look('undo', main)).toBe(`A second address was added to your account (${main}).`);
    await moveTo(server, ada, third);
    const moved = `The main address was changed in your account (${main}).`;
    expect([await look('undo', main), await look('undo', second)]).toEqual([moved, moved]);
    const { message } = (await undo(server, main)).json as { message: string };
    expect(message).toContain(`a link for a new password to ${main}.`);
    expect(await look('undo', second)).toBe('INVALID_ADDRESS_LINK');
  });

  it('is told to the one before even where its server takes no email for a week', async () => {
    const ada = await join('Ada');
    const [before, after] = [ada.user.email, newAddress()];
    await askForMain(ada, after);
    await allSent(server);
    server.mailer.failNext(1);
    await confirm(server, after, ada);
    const { db, clock } = server.deps;
    const failed = and(eq(sendings.address, before), isNotNull(sendings.reason));
    await expect.poll(() => db.$count(sendings, failed)).toBe(1);
    server.clock.advance({ ms: (UNDO_DAYS + 1) * DAY_MS });
    const isOfAda = eq(accountChanges.userId, ada.user.id);
    await deleteExpired(db, clock.now());
    server.deps.mailQueued();
    await expect.poll(() => emailsTo(before)).toMatchObject([{ kind: 'address-changed' }]);
    const [told] = emailsTo(before);
    expect(told?.text).not.toContain('/auth/undo-email');
    expect(told?.text).toContain('please write to whoever runs this site');
    await allSent(server);
    server.clock.advance({ ms: 31 * DAY_MS });
    await deleteExpired(db, clock.now());
    expect(await db.$count(accountChanges, isOfAda)).toBe(0);
  });

  it('is stored with its links as hashes only', async () => {
    const ada = await join('Ada');
    const email = newAddress();
    await askForMain(ada, email);
    const token = await tokenTo(server, email, '/auth/confirm-email');
    const rows = await server.deps.db.select().from(linkTokens);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('counts as confirmed, and as reached again', async () => {
    const ada = await join('Ada');
    const { db, clock } = server.deps;
    const now = clock.now();
    const bounced = { emailBouncedAt: now, addressAskedAt: null };
    await db.update(users).set(bounced).where(eq(users.id, ada.user.id));
    expect(await addressesFor(ada)).toMatchObject({ bouncedAt: now.toISOString() });
    expect((await ada.get('/user/me')).json).toMatchObject({ emailBounces: true });
    await moveTo(server, ada, newAddress());
    expect(await rowOf(ada.user)).toMatchObject({
      emailVerifiedAt: expect.any(Date),
      emailBouncedAt: null,
      addressAskedAt: expect.any(Date),
    });
    expect((await ada.get('/user/me')).json).not.toHaveProperty('emailBounces');
  });

  it('stays when its owner says that it works', async () => {
    const ada = await join('Ada');
    const { db, clock } = server.deps;
    await db.update(users).set({ emailBouncedAt: clock.now() }).where(eq(users.id, ada.user.id));
    const kept = await ada.post('/user/addresses/main/keep');
    expect(kept.json).toMatchObject({ bouncedAt: null, email: ada.user.email });
  });

  it('asks for the password, ten times in an hour', async () => {
    const limited = await startTestServer({ config: { rateLimits: true } });
    try {
      const ada = await signUp(limited.url, 'Ada');
      const body = { email: newAddress(), password: 'a guess' };
      const refused = await ada.post('/user/email', body);
      expect(errorsOf(refused)).toEqual({ password: "That isn't your password" });
      for (let count = 0; count < 9; count += 1) await ada.put('/user/second-email', body);
      // The tenth has ended the session.
      expect(codeOf(await ada.post('/user/email', { ...body, password: PASSWORD }))).toBe(
        'UNAUTHENTICATED',
      );
      expect(await limited.deps.db.select().from(accountChanges)).toEqual([]);
    } finally {
      await limited.close();
    }
  });

  rare(
    'changes a few times a day, and to an address that others have asked for as often',
    async () => {
      const limited = await startTestServer();
      limited.deps.limits = createClientLimits({ rateLimits: true }, null);
      try {
        const [ada, tim] = [await signUp(limited.url, 'Ada'), await signUp(limited.url, 'Tim')];
        const ask = async (person: SignedIn, email: string) =>
          codeOf(await person.post('/user/email', { email, password: PASSWORD }));
        const email = newAddress();
        for (let count = 0; count < 5; count += 1) expect(await ask(ada, email)).toBe(202);
        expect(await ask(ada, newAddress())).toBe('RATE_LIMITED');
        await moveTo(limited, tim, email);
        expect((await addressesFor(tim)).email).toBe(email);
      } finally {
        await limited.close();
      }
    },
  );

  it('is refused in a sentence when it is theirs already, or no address', async () => {
    const ada = await join('Ada');
    const second = await addSecond(server, ada);
    const ask = async (method: 'post' | 'put', email: string) => {
      const path = method === 'post' ? '/user/email' : '/user/second-email';
      return errorsOf(await ada[method](path, { email, password: PASSWORD }));
    };
    const { email } = ada.user;
    expect(await ask('post', email.toUpperCase())).toEqual({
      email: 'This is your main address already.',
    });
    expect(await ask('put', email)).toEqual({
      email: 'This is your main address. Please choose another one as the second.',
    });
    expect(await ask('put', second)).toEqual({ email: 'This is your second address already.' });
    expect(await ask('post', 'ada')).toEqual({ email: 'Please enter a valid email' });
  });

  it('is refused when it has an account, when it is asked for and when it is confirmed', async () => {
    const [ada, tim] = [await join('Ada'), await join('Tim')];
    const taken = await ada.post('/user/email', { email: tim.user.email, password: PASSWORD });
    expect([taken.status, codeOf(taken)]).toEqual([409, 'EMAIL_TAKEN']);
    expect(errorsOf(taken)).toHaveProperty('email');
    const email = newAddress();
    await askForMain(ada, email);
    const token = await tokenTo(server, email, '/auth/confirm-email');
    const visitor = await visit(server.url);
    await visitor.post('/auth/register', { name: 'First', email, password: PASSWORD });
    expect(codeOf(await visitor.post('/auth/confirm-email', { token }))).toBe('EMAIL_TAKEN');
    expect(await addressesFor(ada)).toMatchObject({ email: ada.user.email });
  });

  it('is replaced by a newer wish, withdrawn, or dead after a day', async () => {
    const ada = await join('Ada');
    const visitor = await visit(server.url);
    const [first, second, third] = [newAddress(), newAddress(), newAddress()];
    const linkTo = (email: string) => tokenTo(server, email, '/auth/confirm-email');
    await askForMain(ada, first);
    const older = await linkTo(first);
    await askForMain(ada, second);
    const newer = await linkTo(second);
    const press = async (token: string) =>
      codeOf(await visitor.post('/auth/confirm-email', { token }));
    expect(await press(older)).toBe('INVALID_ADDRESS_LINK');
    expect((await ada.delete('/user/addresses/main/pending')).json).toMatchObject({ pending: [] });
    expect(await press(newer)).toBe('INVALID_ADDRESS_LINK');
    await askForMain(ada, third);
    const last = await linkTo(third);
    server.clock.advance({ ms: DAY_MS });
    expect(await press(last)).toBe('INVALID_ADDRESS_LINK');
    expect(await addressesFor(ada)).toMatchObject({ email: ada.user.email, pending: [] });
    expect(await press('guessed')).toBe('INVALID_ADDRESS_LINK');
    expect((await ada.delete('/user/addresses/third/pending')).status).toBe(400);
  });

  rare('is withdrawn or confirmed as a whole, when both come at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ada = await join('Ada');
      const [before, after] = [ada.user.email, newAddress()];
      await askForMain(ada, after);
      const token = await tokenTo(server, after, '/auth/confirm-email');
      const visitor = await visit(server.url);
      const [confirmed] = await Promise.all([
        visitor.post('/auth/confirm-email', { token }),
        ada.delete('/user/addresses/main/pending'),
      ]);
      const isChanged = confirmed.status === 200;
      expect(await addressesFor(ada)).toMatchObject({ email: isChanged ? after : before });
      // Nothing changes without a way back.
      if (isChanged) expect(codeOf(await undo(server, before))).toBe(200);
    }
  });

  it('goes to one of two people who confirm it at once', async () => {
    const people = await Promise.all([join('Ada'), join('Tim'), join('Eve')]);
    const email = newAddress();
    const tokens: string[] = [];
    for (const person of people) {
      await askForMain(person, email);
      await expect.poll(() => emailsTo(email)).toHaveLength(tokens.length + 1);
      tokens.push(await tokenTo(server, email, '/auth/confirm-email'));
    }
    const visitor = await visit(server.url);
    const answers = await Promise.all(
      tokens.map((token) => visitor.post('/auth/confirm-email', { token })),
    );
    expect(answers.map(codeOf).map(String).sort()).toEqual(['200', 'EMAIL_TAKEN', 'EMAIL_TAKEN']);
  });

  it('has one owner when it is registered and confirmed at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = await join('Ada');
      const email = newAddress();
      await askForMain(ada, email);
      const token = await tokenTo(server, email, '/auth/confirm-email');
      const visitor = await visit(server.url);
      const answers = await Promise.all([
        visitor.post('/auth/confirm-email', { token }),
        visitor.post('/auth/register', { name: 'First', email, password: PASSWORD }),
      ]);
      const codes = answers.map(codeOf);
      expect(codes.filter((code) => code === 'EMAIL_TAKEN')).toHaveLength(1);
    }
  });

  it.each(['has', 'can take back'])(
    'leaves where another account %s it as second',
    async (does) => {
      const [ada, tim] = [await join('Ada'), await join('Tim')];
      const second = await addSecond(server, ada);
      await addSecond(server, tim, ada.user.email);
      if (does === 'can take back') await askForSecond(tim, null);
      await askForMain(ada, second);
      const { message } = await confirm(server, second, ada);
      expect(message).toContain(`${second} is your main address now. Sign in`);
      expect(await addressesFor(ada)).toMatchObject({ email: second, secondEmail: null });
      await undo(server, ada.user.email);
      expect(await rowOf(ada.user)).toMatchObject({ email: ada.user.email, secondEmail: second });
    },
  );

  it('leaves the account for the second one, where nobody has confirmed it', async () => {
    const ada = await join('Ada');
    const second = await addSecond(server, ada);
    await updateUser(server.deps.db, ada.user.id, { emailVerifiedAt: null });
    await moveTo(server, ada, second);
    expect(await addressesFor(ada)).toMatchObject({ email: second, secondEmail: null });
  });
});

describe('the second address', () => {
  it('is confirmed by a link, shown to nobody else, and removed at once [32.addresses.3]', async () => {
    const [ada, tim] = [await join('Ada'), await join('Tim')];
    const second = newAddress();
    const asked = await askForSecond(ada, second);
    expect(asked.addresses).toMatchObject({ secondEmail: null, pending: [{ which: 'second' }] });
    expect((await confirm(server, second)).which).toBe('second');
    expect(await addressesFor(ada)).toMatchObject({ email: ada.user.email, secondEmail: second });
    const { id } = await seal(ada, tim);
    for (const path of [
      `/user/search-recipient?query=${second}`,
      `/community/public-profile?userId=${ada.user.id}`,
      `/api/capsules/${id}`,
    ]) {
      const answer = await tim.get(path);
      expect([answer.status, answer.text.includes(second)]).toEqual([200, false]);
    }
    expect(codeOf(await signInAs(server, second))).toBe('INVALID_CREDENTIALS');
    await server.mailedLink(ada.user.email, '/auth/undo-email');
    const removed = await askForSecond(ada, null);
    expect(removed.addresses).toMatchObject({ secondEmail: null, pending: [] });
    await server.mailedLink(second, '/auth/undo-email');
    expect((await askForSecond(ada, null)).addresses.secondEmail).toBeNull();
  });

  it('can be the main one of another account, but the second one of no other', async () => {
    const [ada, tim] = [await join('Ada'), await join('Tim')];
    await addSecond(server, ada, tim.user.email);
    expect(await addressesFor(ada)).toMatchObject({ secondEmail: tim.user.email });
    const second = await addSecond(server, tim);
    // Who asks learns nothing of other people's second addresses; who has the mailbox does.
    expect((await askForSecond(ada, second)).addresses.pending).toHaveLength(1);
    await expect
      .poll(() => emailsTo(second).filter(({ kind }) => kind === 'confirm-address'))
      .toHaveLength(2);
    const token = await tokenTo(server, second, '/auth/confirm-email');
    const visitor = await visit(server.url);
    expect(codeOf(await visitor.post('/auth/confirm-email', { token }))).toBe('EMAIL_TAKEN');
  });

  it('is in the export', async () => {
    const ada = await join('Ada');
    const second = await addSecond(server, ada);
    const { bytes } = await ada.get('/user/export');
    const description = (await unzip(bytes)).get('time-capsule.json');
    const { account } = JSON.parse(String(description));
    expect(account).toMatchObject({ email: ada.user.email, secondEmail: second });
  });
});

describe('an address of before', () => {
  it('brings everything back within seven days: addresses, no session, no password [32.addresses.2]', async () => {
    const ada = await join('Ada');
    const [before, after] = [ada.user.email, newAddress()];
    const second = await addSecond(server, ada);
    await moveTo(server, ada, after);
    await allSent(server);
    server.clock.advance({ ms: UNDO_DAYS * DAY_MS - 60_000 });
    expect(codeOf(await undo(server, before))).toBe(200);
    expect(await rowOf(ada.user)).toMatchObject({ email: before, secondEmail: second });
    expect((await ada.get('/user/me')).status).toBe(401);
    for (const email of [before, after]) {
      expect(codeOf(await signInAs(server, email))).toBe('INVALID_CREDENTIALS');
    }
    await server.mailedLink(before, '/auth/reset-password');
    for (const email of [after, second]) await server.mailedLink(email, '/help');
    expect(codeOf(await undo(server, second))).toBe('INVALID_ADDRESS_LINK');
  });

  it('can undo no more after seven days [32.addresses.2]', async () => {
    const ada = await join('Ada');
    const before = ada.user.email;
    await moveTo(server, ada, newAddress());
    await server.mailedLink(before, '/auth/undo-email');
    server.clock.advance({ ms: UNDO_DAYS * DAY_MS });
    expect(codeOf(await undo(server, before))).toBe('INVALID_ADDRESS_LINK');
  });

  it('undoes what was changed after it, and whoever came later undoes nothing any more', async () => {
    const ada = await join('Ada');
    const [first, second, third, fourth] = [
      ada.user.email,
      newAddress(),
      newAddress(),
      newAddress(),
    ];
    await moveTo(server, ada, second);
    server.clock.advance({ minutes: 1 });
    await moveTo(server, ada, third);
    await askForMain(ada, fourth);
    const pending = await tokenTo(server, fourth, '/auth/confirm-email');
    await server.mailedLink(second, '/auth/undo-email');
    expect(codeOf(await undo(server, first))).toBe(200);
    expect(codeOf(await undo(server, second))).toBe('INVALID_ADDRESS_LINK');
    const visitor = await visit(server.url);
    const late = await visitor.post('/auth/confirm-email', { token: pending });
    expect(codeOf(late)).toBe('INVALID_ADDRESS_LINK');
    expect(await rowOf(ada.user)).toMatchObject({ email: first, secondEmail: null });
  });

  rare(
    'wins or loses as a whole against a change that is confirmed at the same moment',
    async () => {
      for (let round = 0; round < 5; round += 1) {
        const ada = await join('Ada');
        const [before, thiefs, next] = [ada.user.email, newAddress(), newAddress()];
        await moveTo(server, ada, thiefs);
        await askForMain(ada, next);
        const [confirming, undoing] = [
          await tokenTo(server, next, '/auth/confirm-email'),
          await tokenTo(server, before, '/auth/undo-email'),
        ];
        const visitor = await visit(server.url);
        const [, undone] = await Promise.all([
          visitor.post('/auth/confirm-email', { token: confirming }),
          visitor.post('/auth/undo-email', { token: undoing }),
        ]);
        expect(codeOf(undone)).toBe(200);
        expect(await rowOf(ada.user)).toMatchObject({ email: before });
      }
    },
  );

  it('undoes once, however often the link is used at once', async () => {
    const ada = await join('Ada');
    const before = ada.user.email;
    await moveTo(server, ada, newAddress());
    const token = await tokenTo(server, before, '/auth/undo-email');
    const visitor = await visit(server.url);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => visitor.post('/auth/undo-email', { token })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('belongs to nobody else meanwhile: not registered, taken or invited', async () => {
    const [ada, tim] = [await join('Ada'), await join('Tim')];
    const before = ada.user.email;
    const oldSecond = await addSecond(server, ada);
    await askForSecond(ada, null);
    await moveTo(server, ada, newAddress());
    const visitor = await visit(server.url);
    const attempts = async (email: string) => {
      const account = { name: 'Stranger', email, password: PASSWORD };
      const registered = await visitor.post('/auth/register', account);
      const taken = await tim.post('/user/email', { email, password: PASSWORD });
      await tim.post('/user/invitations', { email });
      const sealed = await tim.createCapsule(capsuleFields({ user: { email } }));
      return [registered, taken, sealed].map(codeOf);
    };
    const refused = ['EMAIL_TAKEN', 'EMAIL_TAKEN', 'RECIPIENT_NOT_REGISTERED'];
    expect(await attempts(before)).toEqual(refused);
    expect(await attempts(oldSecond)).toEqual(refused);
    expect(await server.deps.db.$count(users, eq(users.email, before))).toBe(0);
    await askForSecond(tim, before);
    const token = await tokenTo(server, before, '/auth/confirm-email');
    expect(codeOf(await visitor.post('/auth/confirm-email', { token }))).toBe('EMAIL_TAKEN');
    // Its owner may take it back in the usual way.
    await moveTo(server, ada, before);
    expect(await addressesFor(ada)).toMatchObject({ email: before });
    server.clock.advance({ ms: UNDO_DAYS * DAY_MS });
    expect((await attempts(oldSecond))[0]).toBe(201);
  });

  it('comes back with a second one that became the main one, and that nobody else could have meanwhile', async () => {
    const [ada, tim] = [await join('Ada'), await join('Tim')];
    const main = ada.user.email;
    const second = await addSecond(server, ada);
    await moveTo(server, ada, second);
    await askForSecond(tim, second);
    await allSent(server);
    const token = await tokenTo(server, second, '/auth/confirm-email');
    expect(codeOf(await tim.post('/auth/confirm-email', { token }))).toBe('EMAIL_TAKEN');
    expect(codeOf(await undo(server, main))).toBe(200);
    expect(await rowOf(ada.user)).toMatchObject({ email: main, secondEmail: second });
  });

  rare('cannot be registered in the moment in which it is left', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = await join('Ada');
      const [email, after] = [ada.user.email, newAddress()];
      await askForMain(ada, after);
      const token = await tokenTo(server, after, '/auth/confirm-email');
      const visitor = await visit(server.url);
      const account = { name: 'Stranger', email, password: PASSWORD };
      const registering = Array.from({ length: 4 }, () => visitor.post('/auth/register', account));
      const confirming = visitor.post('/auth/confirm-email', { token });
      const codes = (await Promise.all(registering)).map(codeOf);
      expect(new Set(codes)).toEqual(new Set(['EMAIL_TAKEN']));
      expect(codeOf(await confirming)).toBe(200);
      expect(codeOf(await undo(server, email))).toBe(200);
    }
  });

  it('gets no link for a new password any more, nor does an older one work', async () => {
    const ada = await join('Ada');
    const [before, after] = [ada.user.email, newAddress()];
    const visitor = await visit(server.url);
    await visitor.post('/auth/forgot-password', { email: before });
    const token = await tokenTo(server, before, '/auth/reset-password');
    await moveTo(server, ada, after);
    const late = await visitor.post(`/auth/reset-password?token=${token}`, { password: 'stolen' });
    expect(codeOf(late)).toBe('INVALID_RESET_TOKEN');
    await forgetEmails(server);
    await visitor.post('/auth/forgot-password', { email: before });
    await visitor.post('/auth/forgot-password', { email: after });
    await server.mailedLink(after, '/auth/reset-password');
    expect(emailsTo(before)).toEqual([]);
  });

  it('leaves no stored email when the account is deleted', async () => {
    const removed: string[] = [];
    const { mailer } = server.deps;
    mailer.removeTo = async (address) => void removed.push(address);
    const ada = await join('Ada');
    const before = ada.user.email;
    const second = await addSecond(server, ada);
    const [after, next] = [newAddress(), newAddress()];
    await moveTo(server, ada, after);
    await askForMain(ada, next);
    await server.mailedLink(next, '/auth/confirm-email');
    expect(removed).toEqual([]);
    const tim = await join('Tim');
    await askForSecond(ada, tim.user.email);
    await ada.post('/user/delete-account', { password: PASSWORD, capsules: 'destroy' });
    expect(removed.sort()).toEqual([after, before, next, second].sort());
    delete mailer.removeTo;
    for (const table of [accountChanges, linkTokens, emails]) {
      expect(await server.deps.db.$count(table, eq(table.userId, ada.user.id))).toBe(0);
    }
  });
});

describe('an invited address that becomes a main one', () => {
  const strict = sharedServer({ clock: CLOCK, config: { emailVerification: true } });

  async function member(name: string): Promise<SignedIn> {
    const client = await visit(strict.url);
    const email = `${name.toLowerCase()}.${randomUUID()}@example.org`;
    await client.post('/auth/register', { name, email, password: PASSWORD });
    const token = await tokenTo(strict, email, '/auth/verify-email');
    await client.post('/auth/verify-email', { token });
    const { user } = (await client.post('/auth/login', { email, password: PASSWORD }))
      .json as SignedIn;
    return { ...client, user, password: PASSWORD };
  }

  const received = async (person: SignedIn) =>
    ((await person.get('/api/capsules/received')).json as { capsules: Capsule[] }).capsules
      .map(({ title }) => title)
      .sort();

  it('brings what waits for it: capsules, their notices and its invitations', async () => {
    const [ada, rose] = [await member('Ada'), await member('Rose')];
    const email = newAddress();
    await ada.post('/user/invitations', { email });
    const invited = { user: { email } };
    const own = { title: 'First', notifyRecipient: true };
    const first = await seal(ada, invited, own);
    const both = { title: 'Both', recipientEmails: [email, rose.user.email] };
    const second = await seal(ada, invited, { ...both, notifyRecipient: true });
    await moveTo(strict, rose, email);
    expect(await received(rose)).toEqual(['Both', 'First']);
    const { db } = strict.deps;
    expect(await db.$count(users, eq(users.email, email))).toBe(1);
    const places = await db.select().from(capsuleRecipients);
    expect(places.filter(({ capsuleId }) => capsuleId === second.id)).toHaveLength(1);
    const told = await db.select().from(notices).where(eq(notices.capsuleId, first.id));
    expect(told.map(({ userId }) => userId)).toEqual([rose.user.id]);
    const asked = await db.select().from(invitations).where(eq(invitations.userId, rose.user.id));
    expect(asked).toHaveLength(1);
    const seen = answerOf(getCapsule, await ada.get(`/api/capsules/${first.id}`));
    expect(seen.recipients).toMatchObject([{ name: 'Rose', email }]);
    const invitation = await strict.mailedLink(email, '/auth');
    const token = secretIn(invitation, 'invitation');
    const late = await (await visit(strict.url)).post('/auth/invitation', { token });
    expect(codeOf(late)).toBe('INVALID_INVITATION');
  });

  it('brings nothing to somebody else who asked for it, by the press of its owner', async () => {
    const [ada, thief, owner] = [await member('Ada'), await member('Thief'), await member('Rose')];
    const email = newAddress();
    await ada.post('/user/invitations', { email });
    await seal(ada, { user: { email } }, { title: 'For Rose', notifyRecipient: true });
    await askForMain(thief, email, PASSWORD);
    const token = await tokenTo(strict, email, '/auth/confirm-email');
    for (const by of [await visit(strict.url), owner]) {
      expect(codeOf(await by.post('/auth/confirm-email', { token }))).toBe('EMAIL_TAKEN');
    }
    expect(await received(thief)).toEqual([]);
    const invitation = secretIn(await strict.mailedLink(email, '/auth'), 'invitation');
    const visitor = await visit(strict.url);
    expect((await visitor.post('/auth/invitation', { token: invitation })).status).toBe(200);
    // It is theirs if they are signed in to the account.
    expect(codeOf(await thief.post('/auth/confirm-email', { token }))).toBe(200);
    expect(await received(thief)).toEqual(['For Rose']);
  });

  it('stays an invited person where it becomes a second one', async () => {
    const [ada, rose] = [await member('Ada'), await member('Rose')];
    const email = newAddress();
    await ada.post('/user/invitations', { email });
    const { id } = await seal(ada, { user: { email } });
    await addSecond(strict, rose, email);
    expect(await received(rose)).toEqual([]);
    const seen = answerOf(getCapsule, await ada.get(`/api/capsules/${id}`));
    expect(JSON.stringify(seen)).not.toContain(rose.user.name);
  });

  it('takes the place of an account that nobody has confirmed, unless that has sealed something', async () => {
    const rose = await member('Rose');
    const visitor = await visit(strict.url);
    const register = async () => {
      const email = newAddress();
      await visitor.post('/auth/register', { name: 'Squatter', email, password: PASSWORD });
      return email;
    };
    const email = await register();
    await moveTo(strict, rose, email);
    expect(await addressesFor(rose)).toMatchObject({ email });
    expect(codeOf(await signInAs(strict, email))).toBe(200);

    // Somebody from before addresses were confirmed here.
    const early = await member('Early');
    await seal(early, { user: { email } });
    const { db } = strict.deps;
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, early.user.id));
    const refused = await rose.post('/user/email', { email: early.user.email, password: PASSWORD });
    expect(codeOf(refused)).toBe('EMAIL_TAKEN');
  });

  it('waits for who withdraws it in the middle of a confirmation, and neither fails', async () => {
    const [ada, rose] = [await member('Ada'), await member('Rose')];
    const email = newAddress();
    await ada.post('/user/invitations', { email });
    await askForMain(rose, email);
    const token = await tokenTo(strict, email, '/auth/confirm-email');
    const { db } = strict.deps;
    const waiting = async (count: number) =>
      until(async () => {
        const [row] = await db.execute(sql`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return row?.count === count || null;
      });
    const [confirming, withdrawing] = await db.transaction(async (tx) => {
      await tx.select().from(users).where(eq(users.email, email)).for('update');
      const confirmed = rose.post('/auth/confirm-email', { token });
      await waiting(1);
      const withdrawn = rose.delete('/user/addresses/main/pending');
      await waiting(2);
      return [confirmed, withdrawn];
    });
    expect([await confirming, await withdrawing].map((answer) => answer && codeOf(answer))).toEqual(
      [200, 200],
    );
    expect(await addressesFor(rose)).toMatchObject({ email, pending: [] });
  });

  rare('loses no capsule that is sealed for it in that moment', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [ada, rose] = [await member('Ada'), await member('Rose')];
      const email = newAddress();
      await ada.post('/user/invitations', { email });
      await askForMain(rose, email);
      const token = await tokenTo(strict, email, '/auth/confirm-email');
      const sealing = Array.from({ length: 3 }, (_, index) =>
        ada.createCapsule({ ...capsuleFields({ user: { email } }), title: `${index}` }),
      );
      const confirming = rose.post('/auth/confirm-email', { token });
      const codes = (await Promise.all(sealing)).map(codeOf);
      expect(codeOf(await confirming)).toBe(200);
      const sealed = codes.filter((code) => code === 201).length;
      expect((await received(rose)).length).toBe(sealed);
    }
  });
});
