import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { login } from '../../shared/api/auth.ts';
import { errorBodySchema } from '../../shared/error-body.ts';
import { ERRORS } from '../../shared/errors.ts';
import { DAY_MS, KNOWN_DEVICE_DAYS, XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import { answerOf, createClient, PASSWORD, signUp, type TestClient } from '../support/client.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({
  realPasswords: true,
  config: { rateLimits: true, trustedProxies: 1 },
});
const GUESSER = '198.51.100.';
const DEVICE = 'device';

let email: string;
let people = 0;
beforeEach(async () => {
  email = (await signUp(server.url, `Owner ${people++}`)).user.email;
});

/** A browser that nobody has signed in with. */
async function newDevice(): Promise<TestClient> {
  const device = createClient(server.url);
  await device.get('/api/limits');
  return device;
}

const signIn = (device: TestClient, from: string, password = PASSWORD, to = email) =>
  device.post('/auth/login', { email: to, password }, { 'x-forwarded-for': from });

/** Twelve addresses guess without end, two guesses at once each, until what is done meanwhile has ended. */
async function whileTwelveGuess<T>(work: () => Promise<T>): Promise<T> {
  const guesser = await newDevice();
  const headers = {
    'content-type': 'application/json',
    cookie: await guesser.jar.getCookieString(server.url),
    [XSRF_HEADER]: String(await guesser.cookie(XSRF_COOKIE)),
  };
  const body = JSON.stringify({ email, password: 'guess' });
  const end = new AbortController();
  const statuses: number[] = [];
  const guess = async (host: number) => {
    const from = { ...headers, 'x-forwarded-for': GUESSER + host };
    const request = { method: 'POST', headers: from, body, signal: end.signal };
    while (!end.signal.aborted) {
      const { status } = await fetch(`${server.url}/auth/login`, request);
      statuses.push(status);
      if (status !== 401) await delay(500, null, { signal: end.signal });
    }
  };
  const guessing = Array.from({ length: 24 }, (_, one) => guess(one % 12).catch(() => {}));
  try {
    // From then on they wait for each other.
    await expect.poll(() => statuses.length).toBeGreaterThan(30);
    return await work();
  } finally {
    end.abort();
    await Promise.all(guessing);
    expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
  }
}

rare(
  'while twelve addresses guess without end, the owner signs in from new ones within ten seconds',
  async () => {
    const results = await whileTwelveGuess(async () => {
      const results = [];
      for (const host of [1, 2, 3]) {
        const device = await newDevice();
        const began = performance.now();
        const { status } = await signIn(device, `203.0.113.${host}`);
        results.push({ status, isSoon: performance.now() - began < 10_000 });
      }
      return results;
    });
    expect(results).toEqual(Array(3).fill({ status: 200, isSoon: true }));
  },
  60_000,
);

describe('a device where the owner has signed in', () => {
  rare(
    'waits for nobody, on whatever network, that of those who guess too',
    async () => {
      const device = await newDevice();
      answerOf(login, await signIn(device, '203.0.113.1'));
      const statuses = await whileTwelveGuess(async () => {
        const began = performance.now();
        const statuses = [];
        for (const from of ['203.0.113.2', `${GUESSER}0`, `${GUESSER}1`]) {
          statuses.push((await signIn(device, from)).status);
        }
        return [...statuses, performance.now() - began < 10_000];
      });
      expect(statuses).toEqual([200, 200, 200, true]);
    },
    60_000,
  );

  rare(
    'is one where they have set a password by a link',
    async () => {
      const device = await newDevice();
      await device.post('/auth/forgot-password', { email });
      const { search } = await server.mailedLink(email, '/auth/reset-password');
      await device.post(`/auth/reset-password${search}`, { password: 'brand new' });
      const status = await whileTwelveGuess(
        async () => (await signIn(device, `${GUESSER}0`, 'brand new')).status,
      );
      expect(status).toBe(200);
    },
    60_000,
  );

  it('is known to several accounts, and none of them by another one’s cookie', async () => {
    const device = await newDevice();
    const other = (await signUp(server.url, `Other ${people++}`)).user.email;
    answerOf(login, await signIn(device, '203.0.113.1'));
    answerOf(login, await signIn(device, '203.0.113.1', PASSWORD, other));
    const stranger = (await signUp(server.url, `Stranger ${people++}`)).user.email;
    // Ten bad ones from one address, and the eleventh is refused to a stranger.
    const eleventh = async (to: string, from: string) => {
      for (let count = 0; count < 10; count += 1) await signIn(await newDevice(), from, 'x', to);
      return (await signIn(device, from, PASSWORD, to)).status;
    };
    expect(await eleventh(email, '192.0.2.1')).toBe(200);
    expect(await eleventh(other, '192.0.2.2')).toBe(200);
    expect(await eleventh(stranger, '192.0.2.3')).toBe(429);
    expect(await eleventh('nobody@example.org', '192.0.2.4')).toBe(429);
  });

  it('is a stranger’s after ten wrong passwords in an hour', async () => {
    const device = await newDevice();
    answerOf(login, await signIn(device, '203.0.113.1'));
    const guesses = async (count: number) => {
      const statuses = [];
      for (let time = 0; time < count; time += 1)
        statuses.push((await signIn(device, '192.0.2.9', 'guess')).status);
      return new Set(statuses);
    };
    expect(await guesses(10)).toEqual(new Set([401]));
    // These count for the address, which may have ten in a minute.
    expect(await guesses(10)).toEqual(new Set([401]));
    expect((await signIn(device, '192.0.2.9')).status).toBe(429);
  });

  it('has a cookie for 400 days that names nobody, and is known no longer than that', async () => {
    const device = await newDevice();
    const answer = await signIn(device, '203.0.113.1');
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith(`${DEVICE}=`));
    expect(cookie).toMatch(/^device=[\w-]{43}\.\d+-[\w-]{22}; /);
    expect(cookie?.split('; ').slice(1).sort()).toEqual(
      ['HttpOnly', `Max-Age=${KNOWN_DEVICE_DAYS * 86_400}`, 'Path=/', 'SameSite=Lax'].sort(),
    );
    const value = String(await device.cookie(DEVICE));
    const eleventh = async () => {
      for (let count = 0; count < 10; count += 1) await signIn(await newDevice(), '192.0.2.7', 'x');
      const again = await newDevice();
      await again.jar.setCookie(`${DEVICE}=${value}; Path=/`, server.url);
      return (await signIn(again, '192.0.2.7')).status;
    };
    expect(await eleventh()).toBe(200);
    server.clock.advance({ ms: (KNOWN_DEVICE_DAYS + 1) * DAY_MS });
    expect(await eleventh()).toBe(429);
  });

  it.each(['', 'x', 'x'.repeat(4_000), `${'a'.repeat(43)}.99999-${'b'.repeat(22)}`])(
    'is not one with a made-up cookie (%#)',
    async (made) => {
      const device = await newDevice();
      await device.jar.setCookie(`${DEVICE}=${made}; Path=/`, server.url);
      for (let count = 0; count < 10; count += 1) await signIn(device, '192.0.2.8', 'x');
      expect((await signIn(device, '192.0.2.8')).status).toBe(429);
    },
  );
});

it('who is refused is told the other way in, and not whether there is an account', async () => {
  const device = await newDevice();
  const refusalOf = async (to: string, from: string) => {
    for (let count = 0; count < 10; count += 1) await signIn(device, from, 'x', to);
    return errorBodySchema.parse((await signIn(device, from, 'x', to)).json).message;
  };
  const message = await refusalOf(email, '192.0.2.5');
  expect(message).toBe(
    `${ERRORS.RATE_LIMITED[1]} Or choose “Forgot password?”, and we'll email you a link.`,
  );
  expect(await refusalOf('nobody@example.org', '192.0.2.6')).toBe(message);
});
