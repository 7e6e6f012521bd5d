import { beforeAll, describe, it } from 'vitest';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { expectNoShift, onSlow4G, viewportOf, watchShifts } from '../support/layout-shift.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('on a slow phone network', () => {
  const world = sharedWorld({ clock: '2029-12-31T12:00:00Z' });
  let ada: SignedIn;

  beforeAll(async () => {
    const { url } = world.server;
    const grace = await signUp(url, 'Grace Hopper');
    ada = await signUp(url, 'Ada Lovelace');
    await seal(grace, ada, { title: 'Opened for Ada' });
    for (const year of [2031, 2032, 2033]) {
      await seal(ada, grace, { title: `Of ${year}`, dateToUnlock: `${year}-05-04` });
    }
    world.server.clock.advance({ days: 1 });
  });

  // Wider windows, and all other pages, are in layout-shift.long.test.ts.
  /** Another device with the same session: nothing is saved on it. */
  async function openCold(width: number) {
    const { page, context } = await world.visit();
    await signIn(page, { email: ada.user.email, password: ada.password });
    const cold = await world.visit({ viewport: viewportOf(width) });
    await watchShifts(cold.context);
    await cold.context.addCookies(await context.cookies());
    await cold.context.addInitScript("localStorage.setItem('isLoggedIn', 'true')");
    await onSlow4G(cold.page);
    return cold.page;
  }

  it('the dashboard does not move while it loads, first and again, at 360 px', async () => {
    const page = await openCold(360);
    await expectNoShift(page, '/dashboard', 'first');
    await page.getByRole('heading', { name: 'A capsule has opened for you' }).waitFor();
    await expectNoShift(page, '/dashboard', 'again');
  });

  it('a draft begun elsewhere does not move the page for writing', async () => {
    const there = await world.visit();
    await signIn(there.page, { email: ada.user.email, password: ada.password });
    await there.page.goto('/create');
    await there.page.getByLabel('Capsule Title').fill('For Mia');
    await there.page.getByText(/^Saved to your account/).waitFor();
    const page = await openCold(360);
    await expectNoShift(page, '/create', 'first');
    await expectNoShift(page, '/create', 'again');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('link', { name: 'Continue For Mia' }).click();
    await page.getByLabel('Capsule Title').waitFor();
    await expectNoShift(page, page.url(), 'the draft');
  });
});
