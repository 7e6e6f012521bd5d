import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Visitor } from '../support/browser.ts';
import { signUp } from '../support/client.ts';
import { answer, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const TAGLINE =
  'Preserve your memories for the future. Create digital time capsules and unlock them when the time is right.';
const LOGIN_FIRST =
  'You need to log in first to create a time capsule. Would you like to go to the login page?';

/** Text and address of each link in a part of the page. */
function linksOf(page: Page, part: 'header' | 'footer') {
  return page.evaluate<[text: string, href: string][]>(
    `Array.from(document.querySelectorAll('${part} a'), (link) => [link.textContent.trim(), link.getAttribute('href')])`,
  );
}

describe('the layout', () => {
  const world = sharedWorld();
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    visitor = await world.open();
    page = visitor.page;
    await page.goto('/');
  });

  it('home: hero, both buttons for a visitor, three cards and the decorative figures [2.routes.1 2.home.1 2.home.3 2.home.4 2.home.5]', async () => {
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1 }).waitFor();
    await main.getByRole('button', { name: 'Create Your Capsule' }).waitFor();
    await main.getByRole('link', { name: 'Get Started Free' }).waitFor();
    const cards = main.getByRole('article');
    expect(await cards.getByRole('heading').allTextContents()).toEqual([
      'Secure and private',
      'You set the day',
      'For friends and family',
    ]);
    const figures = (await main.locator('dl > div').allInnerTexts()).map((text) =>
      text
        .toLowerCase()
        .split(/\s*\n\s*/)
        .filter(Boolean)
        .toSorted(),
    );
    expect(figures).toEqual([
      ['10k+', 'capsules created'],
      ['5k+', 'happy users'],
      ['99.9%', 'uptime'],
      ['24/7', 'support'],
    ]);
  });

  it('a name with letters that are not Latin is of one face', async () => {
    const title = "document.querySelector('h1')";
    await page.evaluate(`${title}.textContent = 'Łódź'`);
    await page.evaluate('document.fonts.load("600 32px Literata", "Łódź")');
    const session = await page.context().newCDPSession(page);
    for (const domain of ['DOM', 'CSS'] as const) await session.send(`${domain}.enable`);
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', {
      nodeId: root.nodeId,
      selector: 'h1',
    });
    // The page is drawn anew once the face has come.
    const faces = async () => {
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
      return fonts.map(({ familyName }) => familyName);
    };
    await expect.poll(faces, { timeout: 10_000 }).toEqual(['Literata']);
    await page.reload();
  });

  it('home: a visitor who wants to create is asked to log in; OK leads to /auth [2.home.2 2.home.6 2.home.7 6.roles.1]', async () => {
    const create = page.getByRole('button', { name: 'Create Your Capsule' });
    await create.click();
    await answer(page, LOGIN_FIRST, 'Cancel');
    expect(new URL(page.url()).pathname).toBe('/');
    await create.click();
    await answer(page, LOGIN_FIRST, 'OK');
    await page.waitForURL('/auth');
    await page.goto('/');
  });

  it('header: the links of a visitor, Register opens register mode [2.layout.3 2.layout.4 2.auth.1 6.roles.3]', async () => {
    const banner = page.getByRole('banner');
    await expect
      .poll(() => linksOf(page, 'header'))
      .toEqual(
        expect.arrayContaining([
          ['Home', '/'],
          ['Login', '/auth'],
          ['Register', '/auth?register=true'],
        ]),
      );
    expect(await banner.getByRole('link', { name: /Dashboard|Create Capsule/ }).count()).toBe(0);
    expect(await banner.getByRole('button', { name: 'Logout' }).count()).toBe(0);
    await banner.getByRole('link', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'Create Account' }).waitFor();
    await page.goto('/');
  });

  it('header: stays at the top when the page scrolls [2.layout.1]', async () => {
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await expect.poll(() => page.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
    await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.y).toBe(0);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('footer: tagline, links, social links, contact and the year [2.layout.1 2.layout.7 2.layout.8 2.layout.9]', async () => {
    const footer = page.getByRole('contentinfo');
    await footer.getByText(TAGLINE, { exact: true }).waitFor();
    // The operator's own come with an answer of the server.
    await footer.locator('a[href^="mailto:"]').waitFor();
    const links = await linksOf(page, 'footer');
    expect(links).toEqual(
      expect.arrayContaining([
        ['Home', '/'],
        ['Dashboard', '/dashboard'],
        ['Create Capsule', '/create'],
        ['Help Center', '/help'],
        ['Privacy Policy', '/privacy'],
        ['Terms of Service', '/terms'],
      ]),
    );
    const addresses = links.map(([, href]) => href);
    expect(addresses.filter((href) => href.startsWith('https://')).length).toBeGreaterThan(0);
    expect(addresses.filter((href) => href.startsWith('mailto:'))).toHaveLength(1);
    const year = await page.evaluate<number>('new Date().getFullYear()');
    await footer.getByText(`© ${year}`).waitFor();
  });

  it('mobile menu: a toggle shows and hides the same links [2.layout.6]', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const register = page.getByRole('banner').getByRole('link', { name: 'Register' });
    await register.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Open menu' }).click();
    for (const name of ['Home', 'Login', 'Register']) {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).waitFor();
    }
    await page.getByRole('button', { name: 'Close menu' }).click();
    await register.waitFor({ state: 'hidden' });
    // It covers what the keyboard would come to next.
    await page.getByRole('button', { name: 'Open menu' }).press('Enter');
    await register.press('Tab');
    await register.waitFor({ state: 'hidden' });
    // While no message is shown, nobody measures where one would be.
    expect(await page.evaluate('document.documentElement.style.cssText')).not.toContain('messages');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it.each(['/dashboard', '/create', '/profile'])(
    'a visitor is led from %s to / [2.dashboard.1 2.create.1 2.profile.1 6.roles.4]',
    async (path) => {
      await page.goto(path);
      await page.waitForURL('/');
      await page.getByText('Please sign in first.').waitFor();
    },
  );

  it.each([
    ['/help', 'Help Center'],
    ['/privacy', 'Privacy Policy'],
    ['/terms', 'Terms of Service'],
  ])('%s is a page of its own [2.layout.10]', async (path, title) => {
    await page.goto(path);
    await page.getByRole('banner').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.title()).toContain(title);
  });

  it('not-found: a large 404 and a friendly word, outside the layout, with a way home [2.layout.2 2.routes.9 2.notfound.1 2.notfound.2 2.notfound.3]', async () => {
    await page.goto('/no/such/page');
    await page.getByRole('heading', { name: '404: This page does not exist' }).waitFor();
    const digits = page.getByRole('main').locator('svg').first();
    await expect.poll(async () => (await digits.boundingBox())?.height).toBeGreaterThan(80);
    expect(await page.getByRole('banner').count()).toBe(0);
    expect(await page.getByRole('contentinfo').count()).toBe(0);
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await page.waitForURL('/');
  });

  it('a page whose code does not come says so, and reloading helps [8.errors.29]', async () => {
    const chunks = /\/static\/js\/reset-password/;
    await page.route(chunks, (route) => route.abort());
    await page.goto('/auth/forgot-password');
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.unroute(chunks);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('button', { name: 'Send Reset Link' }).waitFor();
  });

  it('scripts come from /static/js [7.http.4]', async () => {
    await page.goto('/', { waitUntil: 'networkidle' });
    const scripts = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ name }) => new URL(name).pathname)`,
    );
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((path) => !path.startsWith('/static/js/'))).toEqual([]);
  });

  it('signed in: the links of a member, no Get Started Free, and straight to /create [2.layout.5 2.routes.6 2.home.3 2.home.8 6.roles.5]', async () => {
    const { page } = await world.open();
    const { user, password } = await signUp(world.server.url, 'Layla Layout');
    await signIn(page, { email: user.email, password });
    await expect
      .poll(() => linksOf(page, 'header'))
      .toEqual(
        expect.arrayContaining([
          ['Home', '/'],
          ['Dashboard', '/dashboard'],
          ['Create Capsule', '/create'],
        ]),
      );
    const banner = page.getByRole('banner');
    await banner.getByRole('button', { name: 'Logout' }).waitFor();
    expect(await banner.getByRole('link', { name: /Login|Register/ }).count()).toBe(0);
    await banner.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('button', { name: 'Create Your Capsule' }).waitFor();
    expect(await page.getByRole('link', { name: 'Get Started Free' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create Your Capsule' }).click();
    await page.waitForURL('/create');
    await page.goto('/auth');
    await page.waitForURL('/dashboard');
  });
});
