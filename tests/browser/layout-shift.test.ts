import { beforeAll, describe, it } from 'vitest';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { expectNoShift, onSlow4G, viewportOf, watchShifts } from '../support/layout-shift.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('the dashboard on a slow phone network', () => {
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
  it('does not move while it loads, first and again, at 360 px', async () => {
    const width = 360;
    const { page, context } = await world.visit({ viewport: viewportOf(width) });
    await watchShifts(context);
    await signIn(page, { email: ada.user.email, password: ada.password });
    // Another device with the same session: nothing is saved on it.
    const cold = await world.visit({ viewport: viewportOf(width) });
    await watchShifts(cold.context);
    await cold.context.addCookies(await context.cookies());
    await cold.context.addInitScript("localStorage.setItem('isLoggedIn', 'true')");
    await onSlow4G(cold.page);
    await expectNoShift(cold.page, '/dashboard', 'first');
    await cold.page.getByRole('heading', { name: 'A capsule has opened for you' }).waitFor();
    await expectNoShift(cold.page, '/dashboard', 'again');
  });
});
