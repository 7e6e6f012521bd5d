import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { updateUser } from '../../server/db/accounts/users.ts';
import { emails } from '../../server/db/schema.ts';
import { searchProfile } from '../../shared/api/community.ts';
import { searchRecipient } from '../../shared/api/user.ts';
import { errorBodySchema } from '../../shared/error-body.ts';
import { allSent, forgetEmails } from '../support/addresses.ts';
import { capsuleFields } from '../support/capsules.ts';
import { answerOf, createClient, PASSWORD, signUp } from '../support/client.ts';
import { secretIn } from '../support/links.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const server = sharedServer({ realPasswords: true, config: { trustedProxies: 1 } });

/** The address that somebody asks from. */
const HOME = '203.0.113.1';

async function visitor() {
  const client = createClient(server.url);
  await client.get('/api/limits');
  return client;
}

async function requestLink(email: string, from = HOME): Promise<string> {
  await forgetEmails(server);
  const client = await visitor();
  const headers = { 'x-forwarded-for': from };
  expect((await client.post('/auth/forgot-password', { email }, headers)).status).toBe(200);
  const link = await server.mailedLink(email, '/auth/reset-password');
  return String(link.searchParams.get('token'));
}

const reset = async (token: string, password: string) =>
  (await visitor()).post(`/auth/reset-password?token=${token}`, { password });

describe('a forgotten password', () => {
  it('is set anew by the mailed link: once, ending every session, telling the owner', async () => {
    const before = await signUp(server.url, 'Forgetful');
    const token = await requestLink(before.user.email);
    const client = await visitor();
    for (let look = 0; look < 3; look += 1) {
      expect((await client.get(`/auth/validate-token?token=${token}`)).json).toEqual({
        valid: true,
      });
    }
    expect((await reset(token, '1234')).status).toBe(400);
    expect((await reset(token, 'brand new')).status).toBe(200);
    expect((await before.get('/user/me')).status).toBe(401);
    const { email } = before.user;
    expect((await client.post('/auth/login', { email, password: PASSWORD })).status).toBe(401);
    expect((await client.post('/auth/login', { email, password: 'brand new' })).status).toBe(200);
    const again = await reset(token, 'once more');
    expect(again.status).toBe(400);
    expect(errorBodySchema.parse(again.json).message).toBe('Invalid or expired reset link');
    await allSent(server);
    const told = server.mailer.sent.filter(({ kind }) => kind === 'password-changed');
    expect(told.map(({ to }) => to)).toEqual([email]);
  });

  it('is where password managers are led that want to change one', async () => {
    const ask = (path: string) =>
      fetch(`${server.url}/.well-known/${path}`, { redirect: 'manual' });
    const { status, headers } = await ask('change-password');
    expect([status, headers.get('location')]).toEqual([302, '/auth/forgot-password']);
    // They try this first: a site that answers anything would be led astray.
    const { status: none } = await ask(
      'resource-that-should-not-exist-whose-status-code-should-not-be-200',
    );
    expect(none).not.toBe(200);
  });

  it('answers the same for an unknown address, and mails nobody', async () => {
    const { user } = await signUp(server.url, 'Registered');
    const client = await visitor();
    await forgetEmails(server);
    const unknown = await client.post('/auth/forgot-password', { email: 'nobody@example.org' });
    const known = await client.post('/auth/forgot-password', { email: user.email });
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    await allSent(server);
    expect(server.mailer.sent.map((mail) => mail.to)).toEqual([user.email]);
  });

  it('has one winner when the link is used fifty times at once', async () => {
    const { user } = await signUp(server.url, 'Raced');
    const token = await requestLink(user.email);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => reset(token, `password ${index}`)),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(49);
  });

  const isKnown = async (token: string) =>
    (await (await visitor()).get(`/auth/validate-token?token=${token}`)).status === 200;

  it('knows only the newest link of whoever asks, and that for five minutes [9.limits.10]', async () => {
    const { user } = await signUp(server.url, 'Impatient');
    const older = await requestLink(user.email);
    const newer = await requestLink(user.email);
    expect([await isKnown(older), await isKnown(newer)]).toEqual([false, true]);
    server.clock.advance({ minutes: 4, ms: 50_000 });
    expect(await isKnown(newer)).toBe(true);
    server.clock.advance({ ms: 10_000 });
    expect(await isKnown(newer)).toBe(false);
  });

  it('knows a link also when a stranger asks for another', async () => {
    const { user } = await signUp(server.url, 'Pursued');
    const older = await requestLink(user.email);
    server.clock.advance({ minutes: 1 });
    const newer = await requestLink(user.email, '198.51.100.2');
    server.clock.advance({ minutes: 3, ms: 50_000 });
    expect([await isKnown(older), await isKnown(newer)]).toEqual([true, true]);
    server.clock.advance({ ms: 10_000 });
    expect([await isKnown(older), await isKnown(newer)]).toEqual([false, true]);
    server.clock.advance({ minutes: 1 });
    expect((await reset(newer, 'too late')).status).toBe(400);
  });

  it('ends all of its links with the first one that is used', async () => {
    const { user } = await signUp(server.url, 'Settled');
    const older = await requestLink(user.email);
    const newer = await requestLink(user.email, '198.51.100.2');
    expect((await reset(older, 'brand new')).status).toBe(200);
    expect((await reset(newer, 'once more')).status).toBe(400);
  });

  it('has one winner when all of its links are used at once', async () => {
    const { user } = await signUp(server.url, 'Hurried');
    const tokens = [];
    for (let host = 0; host < 5; host += 1)
      tokens.push(await requestLink(user.email, `198.51.100.${host}`));
    const answers = await Promise.all(tokens.map((token) => reset(token, 'brand new')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  it('mails links to this site only, whatever Host a request claims', async () => {
    const { user } = await signUp(server.url, 'Hosted');
    await forgetEmails(server);
    const client = await visitor();
    await client.post(
      '/auth/forgot-password',
      { email: user.email },
      { 'x-forwarded-host': 'evil.example' },
    );
    const link = await server.mailedLink(user.email, '/auth/reset-password');
    expect(link.origin).toBe(server.url);
  });
});

describe('links that many ask for', () => {
  it('reach their owner all the same, and nobody learns that others asked', async () => {
    const limited = await startTestServer({
      realPasswords: true,
      config: { rateLimits: true, trustedProxies: 1 },
    });
    try {
      const { user } = await signUp(limited.url, 'Owner');
      const client = createClient(limited.url);
      await client.get('/api/limits');
      const ask = async (from: string) =>
        (
          await client.post(
            '/auth/forgot-password',
            { email: user.email },
            { 'x-forwarded-for': from },
          )
        ).status;
      const mails = () =>
        limited.mailer.sent.filter(({ kind }) => kind === 'password-reset').length;
      for (let count = 0; count < 8; count += 1) expect(await ask('203.0.113.9')).toBe(200);
      await expect.poll(mails).toBe(5);
      expect(await ask('198.51.100.7')).toBe(200);
      await expect.poll(mails).toBe(6);
      // However many ask: two more, and then one in five minutes, which works as long as that.
      for (let host = 0; host < 6; host += 1) expect(await ask(`192.0.2.${host}`)).toBe(200);
      await expect.poll(mails).toBe(9);
      expect(await ask('192.0.2.77')).toBe(200);
      await limited.deps.limits.giveBack('linkEmailSpare', user.email, 'all');
      expect(await ask('192.0.2.78')).toBe(200);
      await expect.poll(mails).toBe(10);
      expect(await limited.deps.db.$count(emails, eq(emails.kind, 'password-reset'))).toBe(10);
    } finally {
      await limited.close();
    }
  });
});

describe('verification', () => {
  it('is needed to be found in any search, to have a public profile, and to be a recipient', async () => {
    const open = await startTestServer({ realPasswords: true });
    try {
      const [ada, stranger] = await Promise.all([
        signUp(open.url, 'Ada'),
        signUp(open.url, 'Stranger'),
      ]);
      // As on a server where verification was turned on later; Ada has confirmed.
      await open.confirmAddresses(true);
      await updateUser(open.deps.db, ada.user.id, { emailVerifiedAt: new Date() });
      const find = async (text: string) =>
        answerOf(searchRecipient, await ada.get(`/user/search-recipient?query=${text}`));
      expect(await find('stranger')).toEqual([]);
      expect(await find('ada')).toMatchObject([{ name: 'Ada' }]);
      for (const text of ['stranger', 'stranger@example.org', 'st']) {
        const people = await ada.get(`/community/search-profile?query=${text}`);
        expect(answerOf(searchProfile, people)).toEqual([]);
      }
      const profile = await ada.get(`/community/public-profile?userId=${stranger.user.id}`);
      expect(errorBodySchema.parse(profile.json).code).toBe('USER_NOT_FOUND');
      const fields = capsuleFields({ user: { email: 'stranger@example.org' } });
      const refused = await ada.createCapsule(fields);
      expect(refused.json).toMatchObject({ code: 'RECIPIENT_NOT_REGISTERED' });
      expect(
        (await ada.createCapsule({ ...fields, recipientEmails: [ada.user.email] })).status,
      ).toBe(201);
    } finally {
      await open.close();
    }
  });

  it('is asked of those who know the password, and done by the mailed link', async () => {
    const strict = await startTestServer({
      realPasswords: true,
      config: { emailVerification: true },
    });
    try {
      const client = createClient(strict.url);
      await client.get('/api/limits');
      const person = { email: 'fresh@example.org', password: PASSWORD };
      const made = await client.post('/auth/register', { name: 'Fresh', ...person });
      expect(made.json).toMatchObject({ emailVerificationRequired: true });
      const wrong = await client.post('/auth/login', { ...person, password: 'wrong' });
      expect(errorBodySchema.parse(wrong.json).code).toBe('INVALID_CREDENTIALS');
      const refused = await client.post('/auth/login', person);
      expect(refused.status).toBe(403);
      expect(refused.json).toMatchObject({ code: 'EMAIL_NOT_VERIFIED', email: person.email });
      const link = await strict.mailedLink(person.email, '/auth/verify-email');
      await forgetEmails(strict);
      await client.post('/auth/resend-verification', { email: person.email });
      const again = await strict.mailedLink(person.email, '/auth/verify-email');
      expect(again.href).not.toBe(link.href);
      const token = secretIn(again);
      expect((await client.post('/auth/verify-email', { token: 'nonsense' })).status).toBe(400);
      expect((await client.post('/auth/verify-email', { token })).status).toBe(200);
      expect((await client.post('/auth/login', person)).status).toBe(200);
      await forgetEmails(strict);
      const resent = await client.post('/auth/resend-verification', { email: person.email });
      const unknown = await client.post('/auth/resend-verification', { email: 'no@where.org' });
      expect(resent.text).toBe(unknown.text);
      await allSent(strict);
      expect(strict.mailer.sent).toEqual([]);
    } finally {
      await strict.close();
    }
  });
});

describe('where addresses are confirmed', () => {
  const strict = sharedServer({ realPasswords: true, config: { emailVerification: true } });

  it('an address that never was gets the email that confirms it, and no link for a password', async () => {
    const client = createClient(strict.url);
    await client.get('/api/limits');
    const email = 'never@example.org';
    await client.post('/auth/register', { name: 'Never', email, password: PASSWORD });
    await strict.mailedLink(email, '/auth/verify-email');
    await forgetEmails(strict);
    await client.post('/auth/forgot-password', { email });
    const link = await strict.mailedLink(email, '/auth/verify-email');
    expect(strict.mailer.sent.map(({ subject }) => subject)).toEqual([
      'Please confirm your email address',
    ]);
    expect(strict.mailer.sent[0]?.text).toContain('please confirm the address first');
    expect(strict.mailer.sent[0]?.text).not.toContain('reset-password');
    const token = secretIn(link);
    expect((await client.post('/auth/verify-email', { token })).status).toBe(200);
    await forgetEmails(strict);
    await client.post('/auth/forgot-password', { email });
    expect(await strict.mailedLink(email, '/auth/reset-password')).toBeTruthy();
  });
});

describe('PASSWORD_POLICY=strict', () => {
  it('refuses short and common passwords and the own address, in a plain sentence', async () => {
    const strict = await startTestServer({
      realPasswords: true,
      config: { passwordPolicy: 'strict' },
    });
    try {
      const client = createClient(strict.url);
      await client.get('/api/limits');
      const register = (password: string) =>
        client.post('/auth/register', { name: 'S', email: 'strictly@example.org', password });
      for (const password of [
        '1234567',
        'Password123',
        'strictly',
        'strictly@example.org',
        'timecapsule',
      ]) {
        const answer = await register(password);
        expect(answer.status).toBe(400);
        expect(errorBodySchema.parse(answer.json).errors?.password).toMatch(
          /^(Password|This password)/,
        );
      }
      expect((await register('a quiet place')).status).toBe(201);
    } finally {
      await strict.close();
    }
  });
});
