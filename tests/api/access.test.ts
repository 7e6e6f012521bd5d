import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../server/app-error.ts';
import { type Capsule, getCapsule } from '../../shared/api/capsules.ts';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { ENDPOINTS } from '../../shared/api/index.ts';
import { seal } from '../support/capsules.ts';
import {
  answerOf,
  createClient,
  type SignedIn,
  signUp,
  type TestClient,
} from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { sharedServer } from '../support/server.ts';

type Role = 'nobody' | 'stranger' | 'recipient' | 'creator';

/** What each role gets: {nobody, stranger, recipient, creator}. `:id` is an opened capsule, `:file` a file in it. */
const TABLE: [method: string, path: string, statuses: [number, number, number, number]][] = [
  ['POST', '/auth/register', [400, 400, 400, 400]],
  ['POST', '/auth/login', [400, 400, 400, 400]],
  ['POST', '/auth/forgot-password', [400, 400, 400, 400]],
  ['GET', '/auth/validate-token?token=guessed', [400, 400, 400, 400]],
  ['POST', '/auth/reset-password?token=guessed', [400, 400, 400, 400]],
  ['POST', '/auth/verify-email', [400, 400, 400, 400]],
  ['POST', '/auth/resend-verification', [400, 400, 400, 400]],
  ['POST', '/auth/address-link', [400, 400, 400, 400]],
  ['POST', '/auth/confirm-email', [400, 400, 400, 400]],
  ['POST', '/auth/undo-email', [400, 400, 400, 400]],
  ['POST', '/auth/new-password', [400, 400, 400, 400]],
  ['POST', '/auth/still-yours', [400, 400, 400, 400]],
  ['POST', '/auth/invitation', [400, 400, 400, 400]],
  ['POST', '/auth/refuse-invitation', [400, 400, 400, 400]],
  ['POST', '/auth/recovery-code', [400, 400, 400, 400]],
  ['POST', '/auth/passkey/options', [200, 200, 200, 200]],
  ['POST', '/auth/passkey', [400, 400, 400, 400]],
  ['POST', '/auth/undo-passkey', [400, 400, 400, 400]],
  // To the page that people sign in on, since there is no identity provider.
  ['GET', '/auth/oidc', [302, 302, 302, 302]],
  ['GET', '/auth/oidc/callback', [302, 302, 302, 302]],
  ['POST', '/auth/oidc', [404, 404, 404, 404]],
  ['POST', '/auth/undo-identity', [400, 400, 400, 400]],
  ['POST', '/auth/notices-off', [400, 400, 400, 400]],
  ['GET', '/user/me', [401, 200, 200, 200]],
  ['GET', '/user/search-recipient?query=a', [401, 200, 200, 200]],
  ['POST', '/user/invitations', [401, 400, 400, 400]],
  ['PUT', '/user/update-profile', [401, 400, 400, 400]],
  ['POST', '/user/update-profile-photo', [401, 415, 415, 415]],
  ['GET', '/user/addresses', [401, 200, 200, 200]],
  ['POST', '/user/email', [401, 400, 400, 400]],
  ['PUT', '/user/second-email', [401, 400, 400, 400]],
  ['DELETE', '/user/addresses/second/pending', [401, 200, 200, 200]],
  ['POST', '/user/addresses/main/keep', [401, 200, 200, 200]],
  ['POST', '/user/addresses/stop-password', [401, 400, 400, 400]],
  ['GET', '/user/sessions', [401, 200, 200, 200]],
  ['DELETE', '/user/sessions', [401, 415, 415, 415]],
  ['DELETE', '/user/sessions/:id', [401, 415, 415, 415]],
  ['POST', '/api/reports', [401, 400, 400, 400]],
  ['GET', '/user/blocked', [401, 200, 200, 200]],
  ['PUT', '/user/blocked/:user', [401, 200, 200, 400]],
  ['DELETE', '/user/blocked/:user', [401, 200, 200, 200]],
  ['GET', '/user/passkeys', [401, 200, 200, 200]],
  ['POST', '/user/passkeys/options', [401, 400, 400, 400]],
  ['POST', '/user/passkeys', [401, 400, 400, 400]],
  ['DELETE', '/user/passkeys/:id', [401, 415, 415, 415]],
  ['GET', '/user/passkey-choice', [401, 200, 200, 200]],
  ['PUT', '/user/passkey-choice', [401, 400, 400, 400]],
  ['GET', '/user/identity', [401, 404, 404, 404]],
  ['POST', '/user/identity', [401, 400, 400, 400]],
  ['DELETE', '/user/identity', [401, 415, 415, 415]],
  ['GET', '/user/recovery-codes', [401, 200, 200, 200]],
  ['POST', '/user/recovery-codes', [401, 400, 400, 400]],
  ['POST', '/user/delete-account', [401, 400, 400, 400]],
  ['GET', '/user/export', [401, 200, 200, 200]],
  ['GET', '/user/notices', [401, 200, 200, 200]],
  ['PUT', '/user/notices', [401, 400, 400, 400]],
  ['POST', '/notices/off', [400, 400, 400, 400]],
  ['GET', '/community/search-profile?query=ab', [401, 200, 200, 200]],
  ['GET', '/community/public-profile?userId=:user', [200, 200, 200, 200]],
  ['GET', '/api/capsules/created', [401, 200, 200, 200]],
  ['GET', '/api/capsules/received', [401, 200, 200, 200]],
  ['GET', '/api/capsules/dashboard-summary', [401, 200, 200, 200]],
  ['GET', '/api/capsules/opened', [401, 200, 200, 200]],
  ['PUT', '/api/capsules/:id/seen', [401, 404, 200, 404]],
  ['PUT', '/api/capsules/:id/read', [401, 400, 400, 400]],
  ['GET', '/api/capsules/:id', [401, 404, 200, 200]],
  ['GET', '/api/capsules/:id/calendar.ics', [401, 404, 200, 200]],
  ['GET', '/api/capsules/download/:file', [401, 404, 200, 200]],
  ['GET', '/api/capsules/download/:file/rendition?size=small', [401, 404, 415, 415]],
  ['GET', '/api/capsules/:id/files.zip', [401, 404, 200, 200]],
  ['GET', '/api/capsules/:id/notices', [401, 404, 404, 200]],
  ['POST', '/api/capsules/:id/notices/:file/again', [401, 404, 404, 404]],
  ['PUT', '/api/capsules/:id/hidden', [401, 400, 400, 400]],
  ['POST', '/api/capsules', [401, 415, 415, 415]],
  ['PUT', '/api/capsules/:id', [404, 404, 404, 404]],
  ['PATCH', '/api/capsules/:id', [404, 404, 404, 404]],
  ['POST', '/api/uploads/:file', [401, 400, 400, 400]],
  ['GET', '/api/uploads/:file', [401, 404, 404, 404]],
  ['PATCH', '/api/uploads/:file', [401, 415, 415, 415]],
  ['DELETE', '/api/uploads/:file', [401, 404, 404, 404]],
  ['GET', '/api/drafts', [401, 200, 200, 200]],
  ['PUT', '/api/drafts/:file', [401, 400, 400, 400]],
  ['DELETE', '/api/drafts/:file', [401, 200, 200, 200]],
  ['GET', '/api/drafts/:id/files/:file', [401, 404, 404, 404]],
  ['POST', '/api/drafts/:id/contribution-link', [401, 404, 404, 404]],
  ['DELETE', '/api/drafts/:id/contribution-link', [401, 200, 200, 200]],
  ['GET', '/api/drafts/:id/contributions', [401, 404, 404, 404]],
  ['DELETE', '/api/drafts/:id/contributions/:file', [401, 404, 404, 404]],
  ['POST', '/api/drafts/:id/contributions/:file/put-back', [401, 404, 404, 404]],
  // Whoever has the link, or the secret of the device that wrote it: see contributions.test.ts.
  ['GET', '/api/contribution-link', [404, 404, 404, 404]],
  ['PUT', '/api/contributions/:file', [400, 400, 400, 400]],
  ['GET', '/api/contributions/:file', [400, 400, 400, 400]],
  ['DELETE', '/api/contributions/:file', [400, 400, 400, 400]],
  ['POST', '/api/contributions/:file/uploads/:file', [400, 400, 400, 400]],
  ['GET', '/api/contributions/:file/uploads/:file', [400, 400, 400, 400]],
  ['PATCH', '/api/contributions/:file/uploads/:file', [400, 400, 400, 400]],
  ['DELETE', '/api/contributions/:file/uploads/:file', [400, 400, 400, 400]],
  ['PUT', '/user/draft-choice', [401, 400, 400, 400]],
  ['GET', '/api/push/key', [401, 200, 200, 200]],
  ['PUT', '/api/push/subscription', [401, 400, 400, 400]],
  ['DELETE', '/api/push/subscription', [401, 415, 415, 415]],
  ['GET', '/api/limits', [200, 200, 200, 200]],
  ['GET', '/api/contact', [200, 200, 200, 200]],
  ['GET', '/api/openapi.json', [200, 200, 200, 200]],
  ['GET', '/api/unknown', [404, 404, 404, 404]],
  ['GET', '/uploads/capsules/:file', [404, 404, 404, 404]],
  ['GET', '/healthz', [200, 200, 200, 200]],
  ['GET', '/readyz', [200, 200, 200, 200]],
  ['POST', '/auth/restore-capsule', [400, 400, 400, 400]],
  ['GET', '/api/capsules/bin', [401, 200, 200, 200]],
  ['POST', '/api/capsules/:id/restore', [401, 404, 404, 404]],
  ['DELETE', '/api/capsules/:id?now=true', [401, 400, 400, 400]],
  ['DELETE', '/api/capsules/:id', [401, 404, 404, 200]],
  // In the bin, it exists for its creator alone, and there alone.
  ['GET', '/api/capsules/:id', [401, 404, 404, 404]],
  ['GET', '/api/capsules/:id/calendar.ics', [401, 404, 404, 404]],
  ['GET', '/api/capsules/download/:file', [401, 404, 404, 404]],
  ['GET', '/api/capsules/download/:file/rendition?size=small', [401, 404, 404, 404]],
  ['GET', '/api/capsules/:id/files.zip', [401, 404, 404, 404]],
  ['GET', '/api/capsules/:id/notices', [401, 404, 404, 404]],
  ['PUT', '/api/capsules/:id/seen', [401, 404, 404, 404]],
  ['DELETE', '/api/capsules/:id', [401, 404, 404, 404]],
  ['POST', '/api/capsules/:id/restore', [401, 404, 404, 200]],
];

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });
let roles: Record<Role, TestClient>;
let creator: SignedIn;
let opened: Capsule;

beforeAll(async () => {
  const nobody = createClient(server.url);
  await nobody.get('/api/limits');
  const [stranger, recipient] = [
    await signUp(server.url, 'Stranger'),
    await signUp(server.url, 'Recipient'),
  ];
  creator = await signUp(server.url, 'Creator');
  roles = { nobody, stranger, recipient, creator };
  const { id } = await seal(creator, recipient, {}, [pdf()]);
  server.clock.set('2030-01-02T00:00:00Z');
  opened = answerOf(getCapsule, await creator.get(`/api/capsules/${id}`));
});

describe('who may call what', () => {
  it('is written down for every call there is [6.roles.9]', () => {
    const named = (method: string, path: string) =>
      `${method} ${path.replace(/\?.*$/, '').replace(/:\w+|second(?=\/pending)/g, ':')}`;
    const written = TABLE.map(([method, path]) => named(method, path));
    const calls = (Object.values(ENDPOINTS) as Endpoint[]).map(({ method, path }) =>
      named(method, path),
    );
    // Signing out would end the roles' own sessions; it is anyone's, and has a test of its own.
    expect(calls.filter((call) => !written.includes(call))).toEqual(['POST /auth/logout']);
  });

  it.each(TABLE)('%s %s [6.roles.6]', async (method, path, statuses) => {
    const real = path
      .replace(':id', opened.id)
      .replace(':file', String(opened.fileInfo[0]?.fileId))
      .replace(':user', creator.user.id);
    const found: number[] = [];
    for (const role of ['nobody', 'stranger', 'recipient', 'creator'] as const) {
      const json = method === 'PUT' || method === 'POST' ? {} : undefined;
      found.push((await roles[role].request(method, real, { json })).status);
    }
    expect(found).toEqual(statuses);
  });

  it('tells a capsule that is not theirs from none at all in no byte', async () => {
    const stranger = await signUp(server.url, 'Second stranger');
    const mine = await seal(creator, stranger, { dateToUnlock: '2031-01-01' });
    expect((await creator.delete(`/api/capsules/${mine.id}`)).status).toBe(200);
    const hers = await seal(creator, creator, { dateToUnlock: '2031-01-01' });
    const ids = [hers.id, mine.id, '00000000-0000-4000-8000-000000000000', 'not-an-id', '%00'];
    const answers = await Promise.all(ids.map((id) => stranger.get(`/api/capsules/${id}`)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  });
});

describe('a profile', () => {
  it('changes by name and bio alone, whatever else is sent', async () => {
    const person = await signUp(server.url, 'Plain');
    const before = person.user;
    const answer = await person.put('/user/update-profile', {
      ...before,
      id: creator.user.id,
      email: 'other@example.org',
      role: 'admin',
      avatar: 'http://evil.example/x.png',
      password: 'changed',
      createdAt: '2000-01-01T00:00:00.000Z',
      __proto__: { polluted: true },
      constructor: { prototype: {} },
      name: ' Renamed ',
      bio: ' About me ',
    });
    expect(answer.json).toEqual({ ...before, name: 'Renamed', bio: 'About me', avatar: 'R' });
    expect(answer.text).not.toMatch(/hash|password|token/i);
  });
});

describe('a profile photo', () => {
  it('is a picture of less than 5 MB, and SVG is none [5.profile.6 9.limits.9]', async () => {
    const send = (bytes: Buffer) => {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'me.png');
      return creator.request('POST', '/user/update-profile-photo', { body });
    };
    const tooLarge = await send(Buffer.alloc(5_242_880));
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.json).toMatchObject({ message: 'Image size must be less than 5MB' });
    const drawing = await send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    expect(drawing.status).toBe(415);
    const message = "We can't read SVG pictures here. Please choose a JPEG or PNG.";
    expect(drawing.json).toMatchObject({ message });
  });
});

describe('searches', () => {
  it('take every character for itself, and find at most twenty', async () => {
    const { url } = server;
    await signUp(url, '100% Percy');
    await signUp(url, 'Under_score');
    await signUp(url, 'İbrahim ΝΙΚΟΣ');
    const seeker = await signUp(url, 'Seeker');
    const names = async (query: string) =>
      (
        (await seeker.get(`/community/search-profile?query=${encodeURIComponent(query)}`)).json as {
          name: string;
        }[]
      ).map((person) => person.name);
    expect(await names('00%')).toEqual(['100% Percy']);
    expect(await names('r_s')).toEqual(['Under_score']);
    for (const query of ['İbrahim', 'ibrahim', 'ΝΙΚΟΣ']) {
      expect(await names(query)).toEqual(['İbrahim ΝΙΚΟΣ']);
    }
    expect(await names('%%')).toEqual([]);
    expect(await names('\\')).toEqual([]);
    expect(await names('s')).toEqual([]);
    expect(await names('  s ')).toEqual([]);
    expect(await names('\0\0\0')).toEqual([]);
    expect(await names('SEEK')).toEqual([]);
    for (let index = 0; index < 22; index += 1) await signUp(url, `Crowd ${index}`);
    expect(await names('crowd')).toHaveLength(20);
    const recipients = (await seeker.get('/user/search-recipient?query=seeker')).json;
    expect(recipients).toMatchObject([{ name: 'Seeker', isYou: true }]);
  });

  it('filter a list over all of its pages', async () => {
    const person = await signUp(server.url, 'Lister');
    for (let index = 0; index < 8; index += 1) {
      await seal(person, index < 7 ? creator : person, {
        title: `Number ${index}`,
        dateToUnlock: '2031-01-01',
      });
    }
    const page = async (query: string) => (await person.get(`/api/capsules/created?${query}`)).json;
    expect(await page('page=2&limit=6')).toMatchObject({
      capsules: [{ title: 'Number 1' }, { title: 'Number 0' }],
      pagination: { currentPage: 2, totalPages: 2, itemsPerPage: 6, totalItems: 8 },
    });
    expect(await page('query=number%200')).toMatchObject({
      capsules: [{ title: 'Number 0' }],
      pagination: { totalItems: 1 },
    });
    expect(await page(`query=${creator.user.email}`)).toMatchObject({
      pagination: { totalItems: 7 },
    });
    for (const odd of [
      'page=-1',
      'page=abc&limit=-5',
      'page=0',
      'limit=1e9',
      'page=1&page=2',
      'page=',
    ]) {
      const answer = await person.get(`/api/capsules/created?${odd}`);
      expect(answer.status).toBe(200);
      expect((answer.json as { capsules: unknown[] }).capsules.length).toBeLessThanOrEqual(50);
    }
  });
});

describe('readiness', () => {
  it('is gone while storage takes nothing or the server stops, and comes back', async () => {
    const { files, lifecycle } = server.deps;
    const { check } = files;
    const status = async (path: string) => (await roles.nobody.get(path)).status;
    files.check = () => Promise.reject(new AppError('STORAGE_FULL'));
    await expect.poll(() => status('/readyz')).toBe(503);
    expect(await status('/healthz')).toBe(200);
    files.check = check;
    lifecycle.stopping = true;
    expect([await status('/readyz'), await status('/healthz')]).toEqual([503, 200]);
    lifecycle.stopping = false;
    await expect.poll(() => status('/readyz')).toBe(200);
  });

  it('looks once, however many ask at the same moment', async () => {
    const { files } = server.deps;
    const { check } = files;
    let looks = 0;
    files.check = async () => {
      looks += 1;
      await check();
    };
    const asked = Array.from({ length: 50 }, () => roles.nobody.get('/readyz'));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    files.check = check;
    // The look of before may still have held for some of them.
    expect(looks).toBeLessThanOrEqual(2);
  });
});

describe('answers', () => {
  it('carry the headers that keep a browser safe, and are kept by nobody', async () => {
    for (const path of ['/api/openapi.json', '/api/limits', '/user/me', '/api/unknown']) {
      const { headers } = await roles.nobody.get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("default-src 'none';");
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await roles.nobody.get('/api/limits')).headers.get('cache-control')).toBe('no-store');
  });

  it('refuse JSON that is something else', async () => {
    const send = (body: string, type: string, more = {}) =>
      roles.nobody.request('POST', '/auth/login', {
        body,
        headers: { 'content-type': type, ...more },
      });
    expect((await send('{}', 'text/plain')).status).toBe(415);
    expect((await send('{oops', 'application/json')).status).toBe(400);
    expect((await send('[]', 'application/json')).status).toBe(400);
    expect((await send('{}', 'application/json', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send(`"${'x'.repeat(2_100_000)}"`, 'application/json')).status).toBe(400);
  });

  it('to a missing chunk or file are no pages', async () => {
    expect((await roles.nobody.get('/static/js/gone.js')).status).toBe(404);
    const missing = await roles.nobody.get('/static/js/gone.js');
    expect(missing.headers.get('content-type')).toMatch(/json/);
  });
});
