import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { sessions } from '../../server/db/schema.ts';
import { endOtherSessions, listSessions } from '../../shared/api/sessions.ts';
import { DAY_MS } from '../../shared/limits.ts';
import { addSecond, allSent, codeOf, confirmMain } from '../support/addresses.ts';
import { answerOf, createClient, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({ clock: '2029-06-01T12:00:00Z', config: { rateLimits: true } });

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0';

const list = async (client: Pick<SignedIn, 'get'>) =>
  answerOf(listSessions, await client.get('/user/sessions'));

/** A further browser in which the person signs in. */
async function another({ user, password }: SignedIn, userAgent = FIREFOX) {
  const client = createClient(server.url);
  await client.get('/api/limits');
  const body = { email: user.email, password };
  const answer = await client.post('/auth/login', body, { 'user-agent': userAgent });
  expect(answer.status).toBe(200);
  return client;
}

const end = (client: Pick<SignedIn, 'request'>, path: string, password = PASSWORD) =>
  client.request('DELETE', path, { json: { password } });

describe('the list of sessions', () => {
  it('says browser and system in words, how it was signed in, and the day of its last use', async () => {
    const ada = await signUp(server.url, 'Sessions Ada');
    const laptop = await another(ada);
    server.clock.advance({ ms: 2 * DAY_MS });
    await laptop.get('/user/me');
    const answer = await laptop.get('/user/sessions');
    expect(answerOf(listSessions, answer)).toMatchObject([
      {
        device: 'Firefox on Windows',
        signedInBy: 'password',
        signedInAt: expect.stringMatching(/^2029-06-01T12:00/),
        lastUsedOn: '2029-06-03',
        isThis: true,
      },
      { device: '', lastUsedOn: '2029-06-01', isThis: false },
    ]);
    // First where one looks from, whichever was used last.
    expect((await list(ada)).map(({ isThis }) => isThis)).toEqual([true, false]);
    // No address of a network, and nothing that a cookie holds or the database knows it by.
    expect(answer.text).not.toMatch(/127\.0\.0\.1|Gecko|[0-9a-f]{33}/);
  });

  it('writes once a day', async () => {
    const ada = await signUp(server.url, 'Sessions Once');
    // Another number after each write.
    const writes = () =>
      server.deps.db
        .select({ by: sql<string>`xmin::text`, day: sessions.lastUsedOn })
        .from(sessions)
        .where(eq(sessions.userId, ada.user.id));
    server.clock.advance({ ms: DAY_MS });
    await ada.get('/user/me');
    const first = await writes();
    expect(first).toMatchObject([{ day: server.clock.now().toISOString().slice(0, 10) }]);
    server.clock.advance({ ms: 60_000 });
    await ada.get('/user/me');
    expect(await writes()).toEqual(first);
  });
});

describe('ending sessions', () => {
  it('takes the password', async () => {
    const ada = await signUp(server.url, 'Sessions Ender');
    const laptop = await another(ada);
    const other = (await list(ada)).find(({ isThis }) => !isThis);
    for (const path of ['/user/sessions', `/user/sessions/${other?.id}`]) {
      expect(codeOf(await end(ada, path, 'not it'))).toBe('VALIDATION_FAILED');
      expect((await ada.delete(path)).status).toBe(415);
    }
    expect((await laptop.get('/user/me')).status).toBe(200);
    expect((await end(ada, `/user/sessions/${other?.id}`)).status).toBe(200);
    expect((await laptop.get('/user/me')).status).toBe(401);
    expect(codeOf(await end(ada, `/user/sessions/${other?.id}`))).toBe('NOT_FOUND');
    expect((await ada.get('/user/me')).status).toBe(200);
  });

  it('ends all others, and none of anybody else', async () => {
    const ada = await signUp(server.url, 'Sessions All');
    const tim = await signUp(server.url, 'Sessions Tim');
    const others = [await another(ada), await another(ada), await another(ada)];
    answerOf(endOtherSessions, await end(ada, '/user/sessions'));
    for (const client of others) expect((await client.get('/user/me')).status).toBe(401);
    expect(await list(ada)).toHaveLength(1);
    expect((await tim.get('/user/me')).status).toBe(200);
  });

  it('of somebody else is as if there were none, whatever the id', async () => {
    const ada = await signUp(server.url, 'Sessions Own');
    const tim = await signUp(server.url, 'Sessions Thief');
    const hers = (await list(ada))[0]?.id;
    for (const id of [hers, hers?.slice(0, 8), '%25', '_'.repeat(32), 'a'.repeat(32)]) {
      expect(codeOf(await end(tim, `/user/sessions/${id}`))).toBe('NOT_FOUND');
    }
    expect((await ada.get('/user/me')).status).toBe(200);
    expect((await tim.get('/user/me')).status).toBe(200);
  });
});

describe('a sign-in on a new device', () => {
  const told = (address: string) =>
    server.mailer.sent.filter(({ to, subject }) => to === address && /New sign-in/.test(subject));

  it('is told to every address, three times a day; a known device and the first one are not', async () => {
    const ada = await signUp(server.url, 'Sessions New');
    await confirmMain(server, ada);
    const second = await addSecond(server, ada);
    await allSent(server);
    expect(told(ada.user.email)).toEqual([]);
    // Her own new phone hides no thief who comes after it.
    const laptop = await another(ada);
    for (let times = 0; times < 4; times += 1) await another(ada);
    await allSent(server);
    for (const address of [ada.user.email, second]) {
      const mails = told(address);
      expect(mails).toHaveLength(3);
      expect(mails[0]?.text).toContain('with Firefox on Windows, on a device');
      expect(mails[0]?.text).toContain('/profile/sign-in');
    }
    server.clock.advance({ ms: DAY_MS });
    const body = { email: ada.user.email, password: PASSWORD };
    await laptop.post('/auth/logout');
    expect((await laptop.post('/auth/login', body)).status).toBe(200);
    await allSent(server);
    expect(told(ada.user.email)).toHaveLength(3);
  });

  it('is told although the session has ended again', async () => {
    const ada = await signUp(server.url, 'Sessions Brief');
    const thief = await another(ada);
    await thief.post('/auth/logout');
    await allSent(server);
    expect(told(ada.user.email)).toHaveLength(1);
  });
});
