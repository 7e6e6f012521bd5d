import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const PHONE = { width: 360, height: 780 };
const LAPTOP = { width: 1280, height: 800 };

/** The budget of every route at every load. */
const SHIFT_MAX = 0.02;

const WATCH_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const what = sources.map(({ node, previousRect: a, currentRect: b }) =>
        (node?.className || node?.nodeName) + ' ' + [a.x, a.y, a.width, a.height] + ' to ' + [b.x, b.y, b.width, b.height]);
      if (!hadRecentInput) window.shifts.push({ value, what });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

describe('the first view of a page', () => {
  const { server, open } = sharedWorld();
  let ada: SignedIn;

  beforeAll(async () => {
    ada = await signUp(server.url, 'Ada Lovelace');
    await seal(ada, ada, { title: 'The lake' });
  });

  it('of the dashboard is the person’s own first card, and the page is the same for all', async () => {
    const { page, problems } = await open();
    await signIn(page, { email: ada.user.email, password: ada.password });
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'View details of The lake' }).waitFor();
    expect(problems).toEqual([]);
    const text = async (headers = {}) =>
      (await fetch(`${server.url}/dashboard`, { headers })).text();
    expect(await text({ cookie: 'session=anything' })).toBe(await text());
  });

  it('leads home where the browser remembers nobody', async () => {
    const { page, problems } = await open();
    await signIn(page, { email: ada.user.email, password: ada.password });
    await page.evaluate("localStorage.removeItem('isLoggedIn')");
    await page.goto('/dashboard');
    await page.waitForURL('/');
    await page.getByRole('main').getByText('Create Your Capsule').waitFor();
    expect(problems).toEqual([]);
  });

  it('of the landing page loads each style sheet once', async () => {
    const { page } = await open();
    const loaded: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.css')) loaded.push(request.url());
    });
    await page.goto('/');
    await page.getByRole('main').getByText('Create Your Capsule').click();
    await page.getByRole('alertdialog').waitFor();
    expect(loaded.length).toBeGreaterThan(1);
    expect(new Set(loaded).size).toBe(loaded.length);
  });

  const PAGES: [path: string, isThere: (page: Page) => Promise<void>][] = [
    ['/', (page) => page.getByRole('main').getByText('Create Your Capsule').waitFor()],
    ['/auth', (page) => page.getByRole('button', { name: 'Sign In' }).waitFor()],
    ['/help', (page) => page.getByRole('heading', { level: 1 }).waitFor()],
    [
      '/dashboard',
      (page) => page.getByRole('button', { name: 'View details of' }).first().waitFor(),
    ],
    ['/create', (page) => page.getByLabel('Unlock Date').waitFor()],
    ['/profile', (page) => page.getByLabel('Display Name').waitFor()],
  ];

  it.each(
    PAGES.flatMap(([path, isThere]) => [
      [path, 'a phone', PHONE, isThere] as const,
      [path, 'a laptop', LAPTOP, isThere] as const,
    ]),
  )('of %s on %s does not move once it is there', async (path, _device, viewport, isThere) => {
    const { context, page } = await open({ viewport });
    await context.addInitScript(WATCH_SHIFTS);
    if (!['/', '/auth', '/help'].includes(path)) {
      await signIn(page, { email: ada.user.email, password: ada.password });
    }
    // Each part of the app comes late, and one after the other.
    await context.route('**/static/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await route.continue();
    });
    for (const _load of ['first', 'again']) {
      await page.goto(path);
      await isThere(page);
      await page.waitForTimeout(1_000);
      const shifts = await page.evaluate<{ value: number; what: string[] }[]>('window.shifts');
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(SHIFT_MAX);
    }
  });
});
