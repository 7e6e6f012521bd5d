import { beforeAll, describe, expect, it } from 'vitest';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('what has come since the last visit', () => {
  const world = sharedWorld({ clock: '2029-12-28T12:00:00Z' });
  let ada: SignedIn;
  let grace: SignedIn;

  beforeAll(async () => {
    const { url } = world.server;
    [ada, grace] = [await signUp(url, 'Ada Lovelace'), await signUp(url, 'Grace Hopper')];
    for (const year of [2031, 2032, 2033]) {
      await seal(ada, grace, { title: `Of ${year}`, dateToUnlock: `${year}-05-04` });
    }
  });

  it('the next capsule to open is seen on a phone, though another was first', async () => {
    const { page } = await world.open({ viewport: { width: 360, height: 740 } });
    await signIn(page, { email: ada.user.email, password: ada.password });
    const unlock = (title: string) =>
      page.getByRole('button', { name: new RegExp(`${title}.*Created by you`) });
    await unlock('Of 2032').scrollIntoViewIfNeeded();
    await seal(ada, grace, { title: 'Sooner', dateToUnlock: '2030-05-04' });
    await page.evaluate('dispatchEvent(new Event("online"))');
    await unlock('Sooner').waitFor();
    await expect
      .poll(async () => (await unlock('Sooner').boundingBox())?.x)
      .toBeGreaterThanOrEqual(0);
  });

  it('what opened stands on top, though the list is cached', async () => {
    const { page } = await world.open();
    await signIn(page, { email: ada.user.email, password: ada.password });
    await page.getByRole('article').first().waitFor();
    await page.goto('/healthz');
    await seal(grace, ada, { title: 'Never heard of', dateToUnlock: '2029-12-30' });
    world.server.clock.advance({ days: 3 });
    // The list is cached, and this answer is the last to come.
    await page.route('**/api/capsules/opened', async (route) => {
      await page
        .getByRole('article')
        .first()
        .waitFor({ timeout: 1_000 })
        .catch(() => undefined);
      await route.continue();
    });
    await page.goto('/dashboard');
    const news = page.getByRole('heading', { name: 'A capsule has opened for you' });
    await news.waitFor();
    const tabs = page.getByRole('tablist', { name: 'Capsules' });
    const tops = await Promise.all([news, tabs].map(async (each) => (await each.boundingBox())?.y));
    expect(tops[0]).toBeLessThan(tops[1] ?? 0);
  });
});
