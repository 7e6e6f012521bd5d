import { describe, expect, it } from 'vitest';
import { login } from '../../shared/api/auth.ts';
import { errorBodySchema } from '../../shared/error-body.ts';
import { XSRF_HEADER } from '../../shared/limits.ts';
import { type Answer, answerOf, createClient, PASSWORD, signUp } from '../support/client.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const server = sharedServer({ realPasswords: true });

const codeOf = (answer: Answer) => errorBodySchema.parse(answer.json).code;

async function visitor() {
  const client = createClient(server.url);
  await client.get('/api/limits');
  return client;
}

describe('signing in', () => {
  it('gives a new session, never the one that was planted', async () => {
    const { user } = await signUp(server.url, 'Planted');
    const client = await visitor();
    const planted = 'p'.repeat(43);
    await client.jar.setCookie(`session=${planted}; Path=/; HttpOnly`, server.url);
    await client.get('/api/limits');
    answerOf(login, await client.post('/auth/login', { email: user.email, password: PASSWORD }));
    expect(await client.cookie('session')).not.toBe(planted);
    const thief = createClient(server.url);
    await thief.jar.setCookie(`session=${planted}; Path=/`, server.url);
    expect((await thief.get('/user/me')).status).toBe(401);
  });

  it('ends at sign-out, for a copied cookie too', async () => {
    const client = await signUp(server.url, 'Leaving');
    const copied = await client.cookie('session');
    expect((await client.post('/auth/logout')).status).toBe(200);
    const thief = createClient(server.url);
    await thief.jar.setCookie(`session=${copied}; Path=/`, server.url);
    expect((await thief.get('/user/me')).status).toBe(401);
    expect((await client.get('/user/me')).status).toBe(401);
  });

  it('keeps nothing in the database that would work as a cookie', async () => {
    const client = await signUp(server.url, 'Hashed');
    const token = String(await client.cookie('session'));
    const rows = await server.deps.db.query.sessions.findMany();
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const { id } of rows) {
      const thief = createClient(server.url);
      await thief.jar.setCookie(`session=${id}; Path=/`, server.url);
      expect((await thief.get('/user/me')).status).toBe(401);
    }
  });

  it('answers an unknown address and a wrong password alike', async () => {
    const { user } = await signUp(server.url, 'Known');
    const client = await visitor();
    const wrong = await client.post('/auth/login', { email: user.email, password: 'not it' });
    const unknown = await client.post('/auth/login', { email: 'no@where.org', password: 'not it' });
    expect(wrong.status).toBe(401);
    expect(unknown.text).toBe(wrong.text);
    expect(codeOf(wrong)).toBe('INVALID_CREDENTIALS');
  });

  it.each(['🕰️ pa', ` spaces ${'é'.repeat(20)} `, 'x'.repeat(128)])(
    'takes the password %j to the letter',
    async (password) => {
      const { user } = await signUp(server.url, `Password ${password.length}`, password);
      const client = await visitor();
      const attempt = (given: string) =>
        client.post('/auth/login', { email: user.email, password: given });
      expect((await attempt(password.slice(0, -1))).status).toBe(401);
      expect((await attempt(password)).status).toBe(200);
    },
  );

  it('refuses a password of a megabyte unhashed', async () => {
    const client = await visitor();
    const answer = await client.post('/auth/login', {
      email: 'a@b.co',
      password: 'x'.repeat(1_000_000),
    });
    expect(answer.status).toBe(400);
  });

  it('expires after 30 idle days, and after 90 days however often it is used', async () => {
    const ageing = await startTestServer({ realPasswords: true, clock: '2027-01-01T12:00:00Z' });
    try {
      const idle = await signUp(ageing.url, 'Idle');
      const busy = await signUp(ageing.url, 'Busy');
      for (let days = 0; days < 80; days += 20) {
        ageing.clock.advance({ days: 20 });
        expect((await busy.get('/user/me')).status).toBe(200);
      }
      expect((await idle.get('/user/me')).status).toBe(401);
      ageing.clock.advance({ days: 10 });
      expect((await busy.get('/user/me')).status).toBe(401);
    } finally {
      await ageing.close();
    }
  });
});

describe('on https', () => {
  it('cookies are tied to this very host, and browsers are told to stay there', async () => {
    const secure = await startTestServer({ realPasswords: true, config: { secureCookies: true } });
    try {
      const first = await fetch(`${secure.url}/user/me`);
      expect(first.headers.get('strict-transport-security')).toMatch(/^max-age=31536000/);
      const given = first.headers.getSetCookie();
      const cookie = given.map((line) => line.split(';')[0]).join('; ');
      const token = /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '';
      const call = (path: string, body: object) =>
        fetch(secure.url + path, {
          method: 'POST',
          headers: { cookie, [XSRF_HEADER]: token, 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'a@b.co', password: PASSWORD, ...body }),
        });
      expect((await call('/auth/register', { name: 'Secure' })).status).toBe(201);
      const signedIn = await call('/auth/login', {});
      const session = signedIn.headers
        .getSetCookie()
        .find((line) => line.startsWith('__Host-session='));
      const attributes = String(session).split('; ').slice(1);
      expect(attributes).toEqual(
        expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
      );
      expect(session).not.toMatch(/domain/i);
      expect(given.join()).toMatch(/__Host-visitor=[^;]+; Path=\/; HttpOnly; Secure/);
    } finally {
      await secure.close();
    }
  });
});

describe('registering', () => {
  it('takes an address once, whatever its case, however many try at once', async () => {
    const client = await visitor();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.post('/auth/register', {
          name: 'Twin',
          email: index % 2 ? 'TWIN@example.org' : 'twin@Example.org',
          password: PASSWORD,
        }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19);
  });

  it('names each field that is wrong [5.auth.7]', async () => {
    const client = await visitor();
    const answer = await client.post('/auth/register', {
      name: '',
      email: ['a@b.c'],
      password: '1234',
    });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      message: 'Name is required',
      code: 'VALIDATION_FAILED',
      errors: {
        name: 'Name is required',
        email: 'Email is required',
        password: 'Password must be at least 5 characters',
      },
    });
  });

  it('does not sign in', async () => {
    const client = await visitor();
    await client.post('/auth/register', {
      name: 'New',
      email: 'new@example.org',
      password: PASSWORD,
    });
    expect((await client.get('/user/me')).status).toBe(401);
  });
});

describe('unsafe calls', () => {
  it('of a page that came by http say where an https site is', async () => {
    const { config } = server.deps;
    const before = config.appUrl;
    const visitor = await signUp(server.url, 'By http');
    const send = (origin: string) =>
      visitor.request('PUT', '/user/update-profile', {
        json: { name: 'Changed', bio: '' },
        headers: { [XSRF_HEADER]: 'of no cookie', origin },
      });
    Object.assign(config, { appUrl: 'https://capsules.example' });
    const answer = await send(server.url);
    const meant = await send('https://capsules.example');
    Object.assign(config, { appUrl: before });
    expect(answer.json).toMatchObject({
      code: 'XSRF_INVALID',
      message: 'Please open this site at https://capsules.example instead.',
    });
    expect(meant.json).toMatchObject({
      message: expect.stringContaining('reload the page'),
    });
  });

  it('need the token of their own session', async () => {
    const client = await signUp(server.url, 'Own token');
    const other = await signUp(server.url, 'Other token');
    const profile = { name: 'Changed', bio: '' };
    const send = (token: string) =>
      client.request('PUT', '/user/update-profile', {
        json: profile,
        headers: { [XSRF_HEADER]: token },
      });
    for (const token of ['', 'nonsense', String(await other.cookie('XSRF-TOKEN'))]) {
      const answer = await send(token);
      expect(answer.status).toBe(403);
      expect(codeOf(answer)).toBe('XSRF_INVALID');
      // For those who cannot read cookies: a service worker that ends a session.
      expect(answer.headers.get(XSRF_HEADER)).toBe(await client.cookie('XSRF-TOKEN'));
    }
    expect((await send(String(await client.cookie('XSRF-TOKEN')))).status).toBe(200);
  });

  it('are refused from other sites, signing in included', async () => {
    const client = await visitor();
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      const answer = await client.post('/auth/login', { email: 'a@b.co', password: 'x' }, headers);
      expect(codeOf(answer)).toBe('CROSS_SITE');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    const own = await client.post(
      '/auth/login',
      { email: 'a@b.co', password: 'x' },
      { origin: server.url },
    );
    expect(codeOf(own)).toBe('INVALID_CREDENTIALS');
  });

  it('tell the token to a service worker, which cannot read cookies', async () => {
    const client = await signUp(server.url, 'Worker');
    const me = await client.get('/user/me');
    expect(me.headers.get(XSRF_HEADER)).toBe(await client.cookie('XSRF-TOKEN'));
  });
});

describe('limits on attempts', () => {
  it('stop the eleventh bad sign-in of one account from one place, and nobody else', async () => {
    const limited = await startTestServer({
      realPasswords: true,
      config: { rateLimits: true, trustedProxies: 1 },
    });
    try {
      const { user } = await signUp(limited.url, 'Target');
      const client = createClient(limited.url);
      await client.get('/api/limits');
      const attempt = (password: string, from: string) =>
        client.post('/auth/login', { email: user.email, password }, { 'x-forwarded-for': from });
      for (let count = 0; count < 10; count += 1) {
        expect((await attempt('wrong', '203.0.113.9')).status).toBe(401);
      }
      const eleventh = await attempt(PASSWORD, '203.0.113.9');
      expect(eleventh.status).toBe(429);
      expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await attempt(PASSWORD, '198.51.100.7')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it.each([
    [1, 'all of one household', '2001:db8:1:2::', '2001:db8:1:3::1', 200],
    [0, 'all behind a header that no proxy of ours has written', '198.51.100.', '192.0.2.1', 429],
  ])('with %i trusted proxies count %s as one', async (trustedProxies, _who, near, far, status) => {
    const limited = await startTestServer({
      realPasswords: true,
      config: { rateLimits: true, trustedProxies },
    });
    try {
      const { user } = await signUp(limited.url, 'Target');
      const client = createClient(limited.url);
      await client.get('/api/limits');
      const attempt = async (password: string, from: string) => {
        const headers = { 'x-forwarded-for': from };
        return (await client.post('/auth/login', { email: user.email, password }, headers)).status;
      };
      for (let count = 1; count <= 10; count += 1) {
        expect(await attempt('wrong', `${near}${count}`)).toBe(401);
      }
      expect(await attempt(PASSWORD, `${near}99`)).toBe(429);
      expect(await attempt(PASSWORD, far)).toBe(status);
    } finally {
      await limited.close();
    }
  });
});
