import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { pushSubscriptions } from '../../server/db/schema.ts';
import { announceOpenings } from '../../server/jobs/announce-openings.ts';
import { sendDuePushes } from '../../server/jobs/send-push.ts';
import { createPushSender } from '../../server/push/web-push.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import {
  type FirefoxPushService,
  startFirefoxPushService,
} from '../support/firefox-push-service.ts';
import { GO_ON } from '../support/mail-world.ts';
import { type PushService, startPushService } from '../support/push-service.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { startWire, type Wire } from '../support/wire.ts';
import { field, pressable, untilShown } from './engine.ts';
import { type Firefox, NOTIFIES, startFirefox } from './firefox.ts';

export const PUSH_TITLE = 'A capsule has opened';
/** What Firefox says once it has decrypted a message and the worker has handled it without an error. */
export const DELIVERED = 100;

const BEFORE = '2029-12-31T12:00:00Z';

/** Firefox, its push service and our server, and somebody for whom a capsule opens on the day. */
export interface PushWorld {
  service: PushService;
  mozilla: FirefoxPushService;
  server: TestServer;
  wire: Wire;
  person: SignedIn;
  firefox: Firefox;
  /** Starts Firefox with the profile of this test, again after it was closed. */
  open(): Promise<void>;
  signIn(): Promise<void>;
  /** Signs in and turns push on. @returns the endpoint */
  turnOn(): Promise<string>;
  /** @returns the endpoint, once the server has one other than `former` */
  untilSubscribed(former?: string): Promise<string>;
  endpoints(): Promise<string[]>;
  /** The day comes, and the server sends what is due. @param day the first one of 2030 without it */
  theDayComes(day?: string): Promise<void>;
  /** Title, body and the path of the icon of what Firefox shows. */
  shown(): Promise<[string, string, string][]>;
  untilNotified(): Promise<void>;
}

export function sharedPushWorld(): PushWorld {
  const world = {} as PushWorld;
  let profile: string;
  let people = 0;

  beforeAll(async () => {
    const service = await startPushService();
    const sender = { appUrl: 'https://capsule.example', pushHosts: [service.host] };
    const contact = { email: 'hello@capsule.example', links: [] };
    const push = createPushSender({ ...sender, contact }, service.cert);
    const server = await startTestServer({
      clock: BEFORE,
      client: true,
      // What the jobs do is done by `theDayComes`, at once.
      config: { pushHosts: [service.host], jobs: false },
      deps: { push },
    });
    const mozilla = startFirefoxPushService(service);
    Object.assign(world, { service, mozilla, server, wire: await startWire(server.url) });
  });
  afterAll(async () => {
    await world.wire.close();
    await world.server.close();
    await world.mozilla.close();
    await world.service.close();
  });
  beforeEach(async () => {
    people += 1;
    world.server.clock.set(BEFORE);
    world.person = await signUp(world.server.url, `Listener ${people}`);
    await seal(world.person, world.person);
    profile = await mkdtemp(join(tmpdir(), 'time-capsule-firefox-'));
    await world.open();
  });
  afterEach(async () => {
    await world.firefox.close();
    await rm(profile, { recursive: true });
    await world.server.deps.db.delete(pushSubscriptions);
    world.service.received.length = 0;
    world.mozilla.outcomes.length = 0;
  });

  const SHOWN = `navigator.serviceWorker.ready
    .then((registration) => registration.getNotifications())
    .then((all) => all.map(({ title, body, icon }) => [title, body, new URL(icon).pathname]))`;

  return Object.assign(world, {
    async open() {
      world.firefox = await startFirefox({
        prefs: { ...world.mozilla.prefs, ...NOTIFIES },
        profile,
      });
    },
    async signIn() {
      const { firefox, person, wire } = world;
      await firefox.goto(`${wire.url}/auth`);
      await firefox.type(field('Email'), person.user.email);
      await firefox.type(field('Password'), person.password);
      await firefox.click(`document.querySelector('main form button[type=submit]')`);
      await untilShown(firefox, 'Time Capsule Dashboard');
    },
    async turnOn() {
      await world.signIn();
      await world.firefox.click(pressable('Tell me'));
      return world.untilSubscribed();
    },
    untilSubscribed: (former) =>
      until(async () => (await world.endpoints()).find((one) => one !== former) ?? null),
    async endpoints() {
      const rows = await world.server.deps.db.select().from(pushSubscriptions);
      return rows.map(({ endpoint }) => endpoint);
    },
    async theDayComes(day = '2030-01-01') {
      const { clock, deps } = world.server;
      clock.set(`${day}T00:00:00Z`);
      await announceOpenings(deps, GO_ON);
      await sendDuePushes(deps, GO_ON);
    },
    shown: () => world.firefox.evaluate(SHOWN),
    async untilNotified() {
      const isShown = async () => ((await world.shown()).length > 0 ? true : null);
      await until(isShown, { everyMs: 100 });
    },
  } satisfies Partial<PushWorld>);
}
