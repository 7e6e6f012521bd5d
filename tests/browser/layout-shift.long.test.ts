import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';
import { type SignedIn, signUp } from '../support/client.ts';
import { type Cast, fillWorld, yesterday } from '../support/every-screen.ts';
import {
  expectNoShift,
  onSlow4G,
  viewportOf,
  WIDTHS,
  watchShifts,
} from '../support/layout-shift.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const VISITORS = [
  '/',
  '/auth',
  '/auth/forgot-password',
  '/help',
  '/privacy',
  '/terms',
  '/no/such/page',
];
const MEMBERS = [
  '/',
  '/create',
  '/outbox',
  '/profile',
  '/profile/emails',
  '/profile/safety',
  '/profile/addresses',
  '/profile/people',
  '/profile/sign-in',
  '/help',
];

const FAILURE = {
  status: 500,
  contentType: 'application/json',
  body: JSON.stringify({ message: 'Something broke', code: 'INTERNAL' }),
};

describe('no route moves while it loads', () => {
  const world = sharedWorld({ clock: yesterday() });
  let cast: Cast;
  let nora: SignedIn;

  beforeAll(async () => {
    cast = await fillWorld(world.server);
    nora = await signUp(world.server.url, 'New Nora');
  });

  const full = () => cast.ada;
  const empty = () => nora;

  async function open(width: number, cookies: Awaited<ReturnType<typeof cookiesOf>>) {
    const visitor = await world.visit({ viewport: viewportOf(width) });
    await watchShifts(visitor.context);
    if (cookies.length > 0) {
      await visitor.context.addCookies(cookies);
      await visitor.context.addInitScript("localStorage.setItem('isLoggedIn', 'true')");
    }
    return visitor;
  }

  async function cookiesOf(person: SignedIn) {
    const { page, context } = await world.open();
    await signIn(page, { email: person.user.email, password: person.password });
    return context.cookies();
  }

  it.each(
    WIDTHS.flatMap((width) => [
      ...VISITORS.map((path) => [path, 'a visitor', width, null] as const),
      ...MEMBERS.map((path) => [path, 'a member', width, full] as const),
      ['/dashboard', 'somebody with many capsules', width, full] as const,
      ['/dashboard', 'a newcomer', width, empty] as const,
    ]),
  )('%s, for %s, at %i px', async (path, _who, width, who) => {
    const cookies = who ? await cookiesOf(who()) : [];
    const { page, context } = await open(width, cookies);
    await onSlow4G(page);
    await expectNoShift(page, path, 'first');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await expectNoShift(page, path, 'again');
    await context.setOffline(true);
    await expectNoShift(page, path, 'without a network');
    await context.setOffline(false);
  });

  it.each(WIDTHS)('the emails page whose choices come late, at %i px', async (width) => {
    const { page } = await open(width, await cookiesOf(empty()));
    await page.route('**/user/notices', async (route) => {
      await page.getByText('Loading which emails you get...').waitFor();
      await page.evaluate('new Promise(requestAnimationFrame)');
      await route.continue();
    });
    await expectNoShift(page, '/profile/emails', 'late');
    await page.getByText('When somebody seals a capsule for you').waitFor();
  });

  it.each(
    WIDTHS.flatMap((width) => [
      ['somebody with many capsules', width, full] as const,
      ['a newcomer', width, empty] as const,
    ]),
  )(
    'the dashboard whose calls fail, first and again, for %s, at %i px',
    async (_who, width, who) => {
      const cookies = await cookiesOf(who());
      const failAll = (page: Page) =>
        page.route(/\/api\//, (route: Route) =>
          route.request().isNavigationRequest() ? route.fallback() : route.fulfill(FAILURE),
        );
      const cold = await open(width, cookies);
      await failAll(cold.page);
      await expectNoShift(cold.page, '/dashboard', 'failing at once');

      const { page } = await world.open({ viewport: viewportOf(width) });
      await watchShifts(page.context());
      const { user, password } = who();
      await signIn(page, { email: user.email, password });
      await page.getByRole('tabpanel').first().waitFor();
      await failAll(page);
      await expectNoShift(page, '/dashboard', 'failing with saved answers');
      await page.getByText('Failed to load dashboard summary.').waitFor();
      await page.getByRole('alert').getByText('Error: Something broke').waitFor();
    },
  );
});
