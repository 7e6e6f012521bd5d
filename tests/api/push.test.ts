import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pushMessages, pushSubscriptions, sessions } from '../../server/db/schema.ts';
import { announceOpenings } from '../../server/jobs/announce-openings.ts';
import { sendDuePushes } from '../../server/jobs/send-push.ts';
import { sweep } from '../../server/jobs/sweep.ts';
import { createPushSender } from '../../server/push/web-push.ts';
import { getPushKey } from '../../shared/api/push.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, createClient, expectStatus, type SignedIn, signUp } from '../support/client.ts';
import { untilWaiting } from '../support/lock-waits.ts';
import { GO_ON } from '../support/mail-world.ts';
import { type PushService, startPushService } from '../support/push-service.ts';
import { rare } from '../support/rare.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const BEFORE = '2029-12-20T12:00:00Z';
const THE_DAY = '2030-01-01T00:00:00Z';
const MINUTE_MS = 60_000;

let service: PushService;
let server: TestServer;
let ada: SignedIn;
let grace: SignedIn;
let people = 0;

beforeAll(async () => {
  service = await startPushService();
  const sender = { appUrl: 'https://capsule.example', pushHosts: [service.host] };
  const contact = { email: 'hello@capsule.example', links: [] };
  const push = createPushSender({ ...sender, contact }, service.cert);
  server = await startTestServer({
    clock: BEFORE,
    // What the jobs do is done by `pass`, at once.
    config: { pushHosts: [service.host], jobs: false },
    deps: { push },
  });
});
afterAll(async () => {
  await server.close();
  await service.close();
});
afterEach(async () => {
  await server.deps.db.delete(pushSubscriptions);
  service.received.length = 0;
  service.answerWith(201);
  server.clock.set(BEFORE);
});

async function meet(): Promise<void> {
  people += 1;
  ada = await signUp(server.url, `Ada ${people}`);
  grace = await signUp(server.url, `Grace ${people}`);
}

async function turnOn(person: Pick<SignedIn, 'put'>) {
  const subscription = service.subscribe();
  expectStatus(await person.put('/api/push/subscription', subscription), 200);
  return subscription;
}

const rows = () => server.deps.db.select().from(pushSubscriptions);
const messages = () => server.deps.db.select().from(pushMessages);

async function pass(): Promise<void> {
  await announceOpenings(server.deps, GO_ON);
  await sendDuePushes(server.deps, GO_ON);
}

async function theDayComes(at = THE_DAY): Promise<void> {
  server.clock.set(at);
  await pass();
  // Nothing goes twice.
  await pass();
}

it('tells each browser on the day, signed and encrypted, without a title or a name [33.push.1 33.push.2 33.push.5]', async () => {
  await meet();
  await seal(ada, grace, { title: 'SECRET-TITLE' });
  const phone = await turnOn(grace);
  const laptop = await turnOn(ada);
  await theDayComes();
  const { received } = service;
  expect(await messages()).toEqual([]);
  expect(received.map(({ endpoint }) => endpoint).sort()).toEqual(
    [phone.endpoint, laptop.endpoint].sort(),
  );
  const { publicKey } = answerOf(getPushKey, await grace.get('/api/push/key'));
  const toGrace = received.find(({ endpoint }) => endpoint === phone.endpoint);
  expect(toGrace).toMatchObject({
    publicKey,
    claims: { aud: `https://${service.host}`, sub: 'https://capsule.example' },
    headers: {
      'content-type': 'application/notification+json',
      'content-encoding': 'aes128gcm',
      topic: 'opened',
      ttl: String(28 * 86_400),
    },
  });
  expect(toGrace?.message).toEqual({
    web_push: 8030,
    notification: {
      title: 'A capsule has opened',
      body: 'The day has come. Look inside.',
      lang: 'en',
      dir: 'ltr',
      tag: 'opened',
      navigate: `${server.url}/dashboard`,
      icon: `${server.url}/icon-192.png`,
    },
  });
  expect(JSON.stringify(received)).not.toMatch(/SECRET-TITLE|Ada|Grace/);
});

it('tells once of several capsules, even to somebody who wants no emails', async () => {
  await meet();
  for (const _ of [1, 2, 3]) await seal(ada, grace, {});
  await grace.put('/user/notices', { waiting: false, opened: false });
  await turnOn(grace);
  await theDayComes();
  expect(service.received[0]?.message).toMatchObject({
    notification: { title: '3 capsules have opened' },
  });
  expect(service.received).toHaveLength(1);
});

it('takes back what a clock that was ahead has queued, and tells it on the day', async () => {
  await meet();
  await seal(ada, grace, {});
  await turnOn(grace);
  // As creator, Ada is told, too: nothing waits for her to open it.
  await turnOn(ada);
  const later = '2030-02-01T00:00:00Z';
  server.clock.set(later);
  await announceOpenings(server.deps, GO_ON);
  expect(await messages()).toHaveLength(2);
  server.clock.set(BEFORE);
  await pass();
  expect(await messages()).toEqual([]);
  await theDayComes();
  server.clock.set(later);
  await pass();
  expect(service.received).toHaveLength(2);
});

it('says nothing of a capsule that was deleted meanwhile', async () => {
  await meet();
  const deleted = await seal(ada, grace, {});
  await turnOn(grace);
  server.clock.set(THE_DAY);
  await announceOpenings(server.deps, GO_ON);
  expectStatus(await ada.request('DELETE', `/api/capsules/${deleted.id}`), 200);
  await pass();
  expect([await messages(), service.received]).toEqual([[], []]);
  server.clock.set(BEFORE);
  const [gone] = [await seal(ada, grace, {}), await seal(ada, grace, {})];
  server.clock.set(THE_DAY);
  await announceOpenings(server.deps, GO_ON);
  expectStatus(await ada.request('DELETE', `/api/capsules/${gone.id}`), 200);
  await pass();
  expect(service.received).toMatchObject([
    { message: { notification: { title: 'A capsule has opened' } } },
  ]);
});

it('a service that does not answer is asked again later, and keeps no other from getting its messages', async () => {
  await meet();
  await seal(ada, grace, {});
  const { keys } = service.subscribe();
  const silent = Array.from({ length: 25 }, (_, n) => ({
    id: randomUUID(),
    userId: grace.user.id,
    sessionId: 'any',
    endpoint: `https://fcm.googleapis.com/${n}`,
    ...keys,
    touchedAt: new Date(BEFORE),
  }));
  await server.deps.db.insert(pushSubscriptions).values(silent);
  for (let browsers = 0; browsers < 12; browsers += 1) {
    const { endpoint, keys } = service.subscribe();
    const row = { id: randomUUID(), userId: ada.user.id, sessionId: 'any', endpoint, ...keys };
    await server.deps.db.insert(pushSubscriptions).values({ ...row, touchedAt: new Date(BEFORE) });
  }
  server.clock.set(THE_DAY);
  await announceOpenings(server.deps, GO_ON);
  const { push } = server.deps;
  const send: typeof push.send = (message) =>
    message.target.endpoint.startsWith('https://fcm.')
      ? Promise.reject(new Error('no answer'))
      : push.send(message);
  for (let passes = 0; passes < 3; passes += 1) {
    await sendDuePushes({ ...server.deps, push: { ...push, send } }, GO_ON);
  }
  expect(service.received).toHaveLength(12);
  expect(await messages()).toHaveLength(25);
});

it('leaves a service in peace that says it has enough', async () => {
  await meet();
  await seal(ada, grace, {});
  for (let browsers = 0; browsers < 30; browsers += 1) {
    const { endpoint, keys } = service.subscribe();
    const row = { id: randomUUID(), userId: ada.user.id, sessionId: 'any', endpoint, ...keys };
    await server.deps.db.insert(pushSubscriptions).values({ ...row, touchedAt: new Date(BEFORE) });
  }
  service.answerWith(429, { 'retry-after': '3600' });
  server.clock.set(THE_DAY);
  await pass();
  expect(service.received).toHaveLength(20);
  expect(await messages()).toHaveLength(30);
});

it('forgets a browser that is gone [33.push.4]', async () => {
  for (const status of [404, 410]) {
    await meet();
    server.clock.set(BEFORE);
    await seal(ada, grace, {});
    await turnOn(grace);
    service.answerWith(status);
    await theDayComes();
    expect([await rows(), await messages()]).toEqual([[], []]);
  }
});

it('tries again for a day when the service is in trouble, not before it asks to, and gives up', async () => {
  await meet();
  await seal(ada, grace, {});
  await turnOn(grace);
  service.answerWith(503, { 'retry-after': '3600' });
  await theDayComes();
  const [waiting] = await messages();
  expect(waiting?.attempts).toBe(1);
  expect(Number(waiting?.nextAttemptAt)).toBeGreaterThanOrEqual(
    Date.parse(THE_DAY) + 60 * MINUTE_MS,
  );
  let at = new Date(THE_DAY).getTime();
  while ((await messages()).length > 0 && service.received.length < 20) {
    at += 20 * MINUTE_MS;
    server.clock.set(new Date(at).toISOString());
    await pass();
  }
  expect(at - new Date(THE_DAY).getTime()).toBeLessThanOrEqual(1_440 * MINUTE_MS);
  expect(service.received).toHaveLength(6);
  expect(await rows()).toHaveLength(1);
});

it('refuses endpoints that are no push service, and keys that are none [33.push.3]', async () => {
  await meet();
  const good = service.subscribe();
  const wrong = [
    'http://localhost/send',
    'https://127.0.0.1/send',
    'https://[::1]/send',
    'https://10.0.0.1/send',
    'https://169.254.169.254/latest',
    'https://localhost:1/send',
    'https://evil.example/send',
    'https://fcm.googleapis.com.evil.example/send',
    `https://fcm.googleapis.com/${'x'.repeat(1_000)}`,
    '',
  ];
  for (const endpoint of wrong) {
    const answer = await grace.put('/api/push/subscription', { ...good, endpoint });
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
  }
  const keys = [
    { ...good.keys, auth: 'short' },
    { ...good.keys, p256dh: 'x'.repeat(87) },
    { p256dh: good.keys.p256dh },
    null,
  ];
  for (const one of keys) {
    const answer = await grace.put('/api/push/subscription', { ...good, keys: one });
    expect(answer).toMatchObject({ status: 400, json: { code: 'VALIDATION_FAILED' } });
  }
  expect(await rows()).toEqual([]);
});

it('without https, the subject is the contact address [33.push.6]', async () => {
  const sender = createPushSender(
    {
      appUrl: 'http://localhost:3000',
      contact: { email: 'me@example.org', links: [] },
    },
    service.cert,
  );
  const { endpoint, keys } = service.subscribe();
  const target = { endpoint, ...keys };
  await sender.send({ target, keys: sender.createKeys(), payload: '{}' });
  expect(service.received[0]?.claims.sub).toBe('mailto:me@example.org');
});

it('signing out here ends it here, and a new password everywhere', async () => {
  await meet();
  await turnOn(grace);
  const elsewhere = createClient(server.url);
  await elsewhere.get('/user/me');
  const { email } = grace.user;
  expectStatus(await elsewhere.post('/auth/login', { email, password: grace.password }), 200);
  const there = await turnOn(elsewhere);
  expectStatus(await grace.post('/auth/logout'), 200);
  expect((await rows()).map(({ endpoint }) => endpoint)).toEqual([there.endpoint]);

  await createClient(server.url).get('/user/me');
  await server.deps.sessions.endAll(grace.user.id);
  expect(await rows()).toEqual([]);
});

it.each(['one', 'all others', 'all'])(
  'ending %s waits for a session that subscribes in this moment, and ends that as well',
  async (which) => {
    await meet();
    const { db, sessions } = server.deps;
    const userId = grace.user.id;
    const [own] = await sessions.list(userId);
    // Somebody else has used this browser before, and their row is held, so that the call waits.
    const browser = await turnOn(ada);
    const [subscribing, ending] = await db.transaction(async (tx) => {
      const isTheirs = eq(pushSubscriptions.endpoint, browser.endpoint);
      await tx.select().from(pushSubscriptions).where(isTheirs).for('update');
      const subscribed = grace.put('/api/push/subscription', browser);
      await untilWaiting(db, 1);
      const ended = db.transaction<unknown>((other) => {
        if (which === 'all') return sessions.endAll(userId, other);
        if (which === 'one') return sessions.endOne(userId, String(own?.publicId), other);
        return sessions.endOthers({ userId, sessionId: 'of another browser' }, other);
      });
      await untilWaiting(db, 2);
      return [subscribed, ended];
    });
    expectStatus(await subscribing, 200);
    await ending;
    expect(await rows()).toEqual([]);
  },
);

it('signing out in the moment a capsule opens holds up no other browser', async () => {
  await meet();
  await seal(ada, grace, {});
  const phone = await turnOn(grace);
  await turnOn(ada);
  server.clock.set(THE_DAY);
  const left = eq(pushSubscriptions.endpoint, phone.endpoint);
  const queued = await server.deps.db.transaction(async (tx) => {
    await tx.delete(pushSubscriptions).where(left);
    const queue = announceOpenings(server.deps, GO_ON);
    await Promise.race([queue, setTimeout(2_000)]);
    return { queue };
  });
  await queued.queue;
  expect(await messages()).toHaveLength(1);
});

it('a session that only expires leaves it: the day may be years away', async () => {
  await meet();
  await seal(ada, grace, {});
  await turnOn(grace);
  server.clock.set('2029-12-31T12:00:00Z');
  await server.deps.db.update(sessions).set({ expiresAt: new Date(BEFORE) });
  await sweep(server.deps, GO_ON);
  expect((await grace.get('/user/me')).status).toBe(401);
  await theDayComes();
  expect(service.received).toHaveLength(1);
});

it('turning it off, and deleting the account, end it [33.push.1]', async () => {
  await meet();
  const { endpoint } = await turnOn(grace);
  await turnOn(ada);
  // Not somebody else's.
  const off = (person: SignedIn) =>
    person.request('DELETE', '/api/push/subscription', { json: { endpoint } });
  expectStatus(await off(ada), 200);
  expect(await rows()).toHaveLength(2);
  expectStatus(await off(grace), 200);
  expect(await rows()).toHaveLength(1);
  const { password } = ada;
  expectStatus(await ada.post('/user/delete-account', { password, capsules: 'destroy' }), 200);
  expect(await rows()).toEqual([]);
});

it('a browser is one person’s: the next one takes it over, without what waited', async () => {
  await meet();
  await seal(ada, ada, {});
  const subscription = await turnOn(ada);
  service.answerWith(503);
  await theDayComes();
  expect(await messages()).toHaveLength(1);
  expectStatus(await grace.put('/api/push/subscription', subscription), 200);
  expect(await messages()).toEqual([]);
  expect(await rows()).toMatchObject([{ userId: grace.user.id }]);
});

it('a person has ten browsers at most: the one not seen for longest goes', async () => {
  await meet();
  const all = [];
  for (let minute = 10; minute < 21; minute += 1) {
    server.clock.set(`2029-12-20T12:${minute}:00Z`);
    all.push(await turnOn(grace));
  }
  const kept = (await rows()).map(({ endpoint }) => endpoint).sort();
  expect(kept).toEqual(
    all
      .slice(1)
      .map(({ endpoint }) => endpoint)
      .sort(),
  );
});

rare('the jobs of a running server send it', async () => {
  const sender = { appUrl: 'https://capsule.example', pushHosts: [service.host] };
  const contact = { email: 'hello@capsule.example', links: [] };
  const push = createPushSender({ ...sender, contact }, service.cert);
  const config = { pushHosts: [service.host] };
  const running = await startTestServer({ clock: BEFORE, config, deps: { push } });
  try {
    const person = await signUp(running.url, 'Solo');
    await seal(person, person, {});
    await turnOn(person);
    running.clock.set(THE_DAY);
    await until(() => service.received[0] ?? null);
  } finally {
    await running.close();
  }
});
