import { expect, it } from 'vitest';
import { pushSubscriptions } from '../../server/db/schema.ts';
import { until } from '../support/until.ts';
import { DELIVERED, PUSH_TITLE, sharedPushWorld } from './push-world.ts';

const world = sharedPushWorld();

it('Firefox shows at its next start what came while it was closed, and subscribes again [33.push.10]', async () => {
  const endpoint = await world.turnOn();
  await world.firefox.close();
  await world.theDayComes();
  expect(world.service.received).toMatchObject([{ endpoint }]);

  await world.server.deps.db.delete(pushSubscriptions);
  await world.open();
  const { firefox, mozilla, wire } = world;
  await until(() => (mozilla.outcomes.length > 0 ? true : null));
  expect(mozilla.outcomes).toEqual([DELIVERED]);
  await firefox.goto(`${wire.url}/dashboard`);
  expect((await world.shown()).map(([title]) => title)).toEqual([PUSH_TITLE]);
  // The browser still has it, and the server learns of it anew.
  expect(await world.untilSubscribed()).toBe(endpoint);
  expect(firefox.problems).toEqual([]);
});

it('Firefox subscribes anew at its next start once the push service has lost the subscription [33.push.9]', async () => {
  const former = await world.turnOn();
  const { firefox, mozilla } = world;
  mozilla.forgetBrowsers();
  const held = 'navigator.serviceWorker.ready.then((one) => one.pushManager.getSubscription())';
  await until(async () => ((await firefox.evaluate(held)) === null ? true : null));
  expect(await world.endpoints()).toEqual([former]);
  await firefox.reload();
  await world.untilSubscribed(former);
  expect(firefox.problems).toEqual([]);
});
