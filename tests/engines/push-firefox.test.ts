import { expect, it } from 'vitest';
import { getPushKey } from '../../shared/api/push.ts';
import { seal } from '../support/capsules.ts';
import { answerOf } from '../support/client.ts';
import { until } from '../support/until.ts';
import { pressable } from './engine.ts';
import { DELIVERED, PUSH_TITLE, sharedPushWorld } from './push-world.ts';

const world = sharedPushWorld();

it('Firefox subscribes, shows what the server sends, leads to the dashboard, and ends it all on signing out [33.push.10]', async () => {
  const { firefox, wire, person, service, mozilla } = world;
  await seal(person, person, { dateToUnlock: '2030-01-02' });
  const endpoint = await world.turnOn();
  const tabs = async () => (await firefox.tabs()).filter((url) => url !== 'about:blank');
  const untilVisible = (state: 'visible' | 'hidden') =>
    until(async () =>
      (await firefox.evaluate('document.visibilityState')) === state ? true : null,
    );
  const since = wire.requests.length;
  await firefox.goto(`${wire.url}/profile`);
  await until(() => wire.requests.slice(since).includes('PUT /api/push/subscription') || null);
  await world.theDayComes();
  await world.untilNotified();
  expect(await world.shown()).toEqual([
    [PUSH_TITLE, 'The day has come. Look inside.', '/icon-192.png'],
  ]);
  const { publicKey } = answerOf(getPushKey, await person.get('/api/push/key'));
  expect(service.received).toMatchObject([
    { endpoint, publicKey, headers: { 'content-encoding': 'aes128gcm' } },
  ]);

  // Elsewhere in the app, a press opens the dashboard in a tab of its own.
  await firefox.pressNotification(PUSH_TITLE);
  await until(async () => ((await tabs()).length === 2 ? true : null));
  await untilVisible('hidden');
  expect(await tabs()).toEqual([`${wire.url}/profile`, `${wire.url}/dashboard`]);
  expect(await world.shown()).toEqual([]);

  // Where the dashboard is open, a press brings its tab to the front.
  await firefox.toFront();
  await untilVisible('visible');
  await world.theDayComes('2030-01-02');
  await world.untilNotified();
  await firefox.pressNotification(PUSH_TITLE);
  await untilVisible('hidden');
  expect(await tabs()).toHaveLength(2);
  expect(mozilla.outcomes).toEqual([DELIVERED, DELIVERED]);

  await firefox.toFront();
  await firefox.click(pressable('Logout'));
  await firefox.click(pressable('OK'));
  await until(async () => ((await world.endpoints()).length === 0 ? true : null));
  await until(() => (service.isOpen(endpoint) ? null : true));
  expect(firefox.problems).toEqual([]);
});
