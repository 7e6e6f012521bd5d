import { inArray } from 'drizzle-orm';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pushSubscriptions, serverState } from '../../server/db/schema.ts';
import { pushPayload } from '../../server/domain/push/push.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUpAnother } from '../support/client.ts';
import { workerRegistration } from '../support/dispatch-sync.ts';
import { answer, signIn } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

/**
 * No push service can be reached from here: the browser's own subscribing is replaced, and nothing
 * before or after it.
 */
const SUBSCRIBES = `
  const of = (endpoint) => ({
    endpoint,
    toJSON: () => ({ endpoint, keys: {
      p256dh: 'BHWzgltYygUgdko0lP5jF6aVMs9lL_CxtcCRdkswnb8VQQADf5iZZgnineCZEo5Fo3gHGma61SQg1dZZW_MiZIw',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    } }),
    unsubscribe: async () => { localStorage.removeItem('at-browser'); return true; },
  });
  PushManager.prototype.getSubscription = async () => {
    const endpoint = localStorage.getItem('at-browser');
    return endpoint === null ? null : of(endpoint);
  };
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 87) throw new TypeError('refused');
    const key = localStorage.getItem('key-at-browser');
    if (localStorage.getItem('at-browser') !== null && key !== applicationServerKey) {
      throw new DOMException('another key', 'InvalidStateError');
    }
    localStorage.setItem('key-at-browser', applicationServerKey);
    const endpoint = localStorage.getItem('at-browser')
      ?? 'https://fcm.googleapis.com/fcm/send/' + crypto.randomUUID();
    localStorage.setItem('at-browser', endpoint);
    return of(endpoint);
  };
`;

/** The browser would ask the person anew: the subscription has ended with its permission. */
const WITHDRAWN = `
  Object.defineProperty(Notification, 'permission', { get: () => 'default' });
  localStorage.removeItem('at-browser');
`;

/** The browser asks, and the person says no. */
const REFUSED = `
  let permission = 'default';
  Object.defineProperty(Notification, 'permission', { get: () => permission });
  Notification.requestPermission = async () => (permission = 'denied');
`;

const OFFER = 'Know when a capsule opens';
const QUESTION = 'Are you sure you want to logout?';

describe('push', () => {
  const { server, visit } = sharedWorld({ clock: '2029-12-31T12:00:00Z', wholeBrowser: true });
  /** The people of this test: a device of another one may still be told. */
  let ofTest: string[] = [];

  async function arrive() {
    const person = await signUpAnother(server.url, 'Listener');
    ofTest = [person.user.id];
    const visitor = await visit();
    await visitor.context.grantPermissions(['notifications'], { origin: server.url });
    await visitor.context.addInitScript(SUBSCRIBES);
    return { person, ...visitor };
  }

  const enter = (page: Page, { user, password }: SignedIn) =>
    signIn(page, { email: user.email, password });
  const subscriptions = () =>
    server.deps.db
      .select({ userId: pushSubscriptions.userId })
      .from(pushSubscriptions)
      .where(inArray(pushSubscriptions.userId, ofTest));
  const untilThere = (count: number) =>
    until(async () => ((await subscriptions()).length === count ? true : null));

  async function turnOn(page: Page): Promise<void> {
    // Registered a second after the first page: later than a press here, sooner than a person's.
    await page.evaluate('navigator.serviceWorker.ready.then(() => null)');
    await page.getByRole('button', { name: 'Tell me' }).click();
    await untilThere(1);
  }

  it('is offered once somebody has a capsule, never before, and once [33.push.8]', async () => {
    const { person, page, problems } = await arrive();
    await enter(page, person);
    await page.getByText('A letter to yourself in a year').waitFor();
    expect(await page.getByText(OFFER).count()).toBe(0);

    await seal(person, person, {});
    await page.reload();
    await page.getByText(OFFER).waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.reload();
    await page.getByRole('article').first().waitFor();
    expect(await page.getByText(OFFER).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('is turned on by one press, off on the profile page, and ends with signing out [33.push.9]', async () => {
    const { person, page, problems } = await arrive();
    await seal(person, person, {});
    await enter(page, person);
    await turnOn(page);
    await page.getByText(OFFER).waitFor({ state: 'detached' });

    await page.goto('/profile/emails');
    const choice = page.getByRole('switch', {
      name: 'Tell me on this device when a capsule opens',
    });
    await expect.poll(() => choice.isChecked()).toBe(true);
    await choice.click();
    await untilThere(0);
    // It is asked again by what it shows, and that is told after the server.
    await expect.poll(() => choice.isChecked()).toBe(false);
    await choice.click();
    await untilThere(1);

    // A subscription that was lost is there again after the next start.
    await server.deps.db.delete(pushSubscriptions);
    await page.evaluate("localStorage.removeItem('at-browser')");
    await page.reload();
    await untilThere(1);

    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await answer(page, QUESTION, 'OK');
    await untilThere(0);
    await until(async () =>
      (await page.evaluate("localStorage.getItem('at-browser')")) === null ? true : null,
    );
    expect(problems).toEqual([]);
  });

  it('says where notifications are blocked, once the browser has refused them', async () => {
    const { person, page, context, problems } = await arrive();
    await context.addInitScript(REFUSED);
    await seal(person, person, {});
    await enter(page, person);
    await page.getByRole('button', { name: 'Tell me' }).click();
    await page.getByText('You can allow them in its settings for this site.').waitFor();
    await page.getByText(OFFER).waitFor({ state: 'detached' });
    expect(await axeInBothSchemes(page)).toEqual([]);
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor();
    expect(problems).toEqual([]);
  });

  it('is off, and offered again, once the browser has withdrawn its permission', async () => {
    const { person, page, context, problems } = await arrive();
    await seal(person, person, {});
    await enter(page, person);
    await turnOn(page);
    await context.addInitScript(WITHDRAWN);
    await page.goto('/profile/emails');
    const choice = page.getByRole('switch', {
      name: 'Tell me on this device when a capsule opens',
    });
    await choice.waitFor();
    expect(await choice.isChecked()).toBe(false);
    await page.goto('/dashboard');
    await page.getByText(OFFER).waitFor();
    expect(problems).toEqual([]);
  });

  it('with another key it subscribes anew, and a sign-out offline ends it', async () => {
    const { person, page, context } = await arrive();
    await seal(person, person, {});
    await enter(page, person);
    await turnOn(page);
    const atBrowser = () => page.evaluate<string | null>("localStorage.getItem('at-browser')");
    const before = await atBrowser();
    await server.deps.db.update(serverState).set({ vapidPublicKey: null, vapidPrivateKey: null });
    await page.reload();
    await until(async () => {
      const now = await atBrowser();
      return now !== null && now !== before ? now : null;
    });
    await untilThere(2);

    await context.setOffline(true);
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await answer(page, QUESTION, 'Sign out');
    await until(async () => ((await atBrowser()) === null ? true : null));
  });

  it('the worker shows what it is sent, whatever it is [33.push.7]', async () => {
    const { person, page, context } = await arrive();
    await seal(person, person, {});
    await enter(page, person);
    await page.getByRole('article').first().waitFor();
    await page.evaluate('navigator.serviceWorker.ready');
    const shown = () =>
      page.evaluate<[string, string][]>(`navigator.serviceWorker.ready
        .then((registration) => registration.getNotifications())
        .then((all) => all.map(({ title, body }) => [title, body]))`);
    // Beside other work, the browser has lost one before its worker ran. A push service sends it again.
    const shownAfter = (data: string) =>
      expect.poll(
        async () => {
          await deliver(context, page, data);
          return shown();
        },
        { interval: 1_000 },
      );
    for (const data of ['not understood', '{"web_push":8030}', '']) {
      const opened = pushPayload({ appUrl: server.url }, 3);
      await shownAfter(opened).toEqual([['3 capsules have opened', expect.any(String)]]);
      // With one tag, it takes the place of the one before.
      const one = ['A capsule has opened', 'The day has come. Look inside.'];
      await shownAfter(data).toEqual([one]);
    }
  });
});

async function deliver(context: BrowserContext, page: Page, data: string): Promise<void> {
  const { origin } = new URL(page.url());
  const { session, registrationId } = await workerRegistration(context, page, origin);
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await session.detach();
}
