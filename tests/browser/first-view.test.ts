import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openVisitor, type Visitor } from '../support/browser.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const HEADING = 'Time Capsule Dashboard';
const MEMBER = { cookie: 'session=anything' };

const faces = (page: Page) => page.evaluate('document.documentElement.dataset.faces ?? "ours"');

const loadedFaces = "[...document.fonts].filter(({ status }) => status === 'loaded').length";

const haveFaces = (page: Page) =>
  expect.poll(() => page.evaluate(loadedFaces), { timeout: 10_000 }).toBeGreaterThanOrEqual(3);

describe('the first view of a page that comes with its words', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: SignedIn;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer({ client: true }), launchBrowser()]);
    ada = await signUp(server.url, 'Ada Lovelace');
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  const textOf = async (path: string, headers = {}) =>
    (await fetch(server.url + path, { headers })).text();

  /** On a device whose pages all come from the server, as the first of a visit does. */
  async function openMember(): Promise<Visitor> {
    const visitor = await openVisitor(browser, server.url, { serviceWorkers: 'block' });
    await signIn(visitor.page, { email: ada.user.email, password: ada.password });
    return visitor;
  }

  it('is the dashboard, for who may be signed in and for no one else', async () => {
    const answer = await fetch(`${server.url}/dashboard`, { headers: MEMBER });
    const text = await answer.text();
    expect(text).toContain(HEADING);
    expect(text).toContain('<title>Dashboard · Time Capsule</title>');
    expect(answer.headers.get('vary')).toContain('Cookie');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self';");
    expect(policy).toMatch(/style-src 'self' 'sha256-[^']+';/);

    const visitor = await fetch(`${server.url}/dashboard`);
    expect(await visitor.text()).not.toContain(HEADING);
    expect(visitor.headers.get('vary')).toContain('Cookie');
    for (const path of ['/dashboard?query=rose', '/create', '/', '/dashboard.html', '/nowhere']) {
      expect(await textOf(path, MEMBER)).not.toContain(HEADING);
    }
  });

  it('is the same for all of them', async () => {
    const { context, close } = await openMember();
    const hers = await (await context.request.get('/dashboard')).text();
    await close();
    expect(hers).toContain(HEADING);
    expect(hers).toBe(await textOf('/dashboard', MEMBER));
  });

  it('is taken over by the app as it stands', async () => {
    const { context, page, problems, close } = await openMember();
    let run = () => {};
    const marked = new Promise<void>((resolve) => {
      run = resolve;
    });
    await context.route('**/static/js/index-*.js', async (route) => {
      await marked;
      await route.continue();
    });
    await page.goto('/dashboard', { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1, name: HEADING }).waitFor();
    await page.getByRole('link', { name: 'Create New Capsule' }).waitFor();
    await page.getByText('Loading capsules...').waitFor();
    expect(await page.getByText('Logout').count()).toBe(1);
    await page.evaluate("document.querySelector('h1').dataset.mark = 'kept'");
    run();

    await page.getByText('You have not created a capsule yet.', { exact: false }).waitFor();
    expect(await page.locator('h1').getAttribute('data-mark')).toBe('kept');
    expect(await page.title()).toBe('Dashboard · Time Capsule');
    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: 'Your profile' }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('leads home where the browser remembers nobody', async () => {
    const { page, problems, close } = await openMember();
    await page.evaluate("localStorage.removeItem('isLoggedIn')");
    await page.goto('/dashboard');
    await page.waitForURL('/');
    await page.getByRole('main').getByText('Create Your Capsule').waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('loads no style a second time, and its faces last', async () => {
    const { page, problems, close } = await openVisitor(browser, server.url);
    await page.goto('/');
    await haveFaces(page);
    const loaded = await page.evaluate<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)',
    );
    const inPage = await page.evaluate<string[]>(
      'Array.from(document.querySelectorAll("link[rel=stylesheet][disabled]"), (link) => link.getAttribute("href"))',
    );
    expect(inPage.length).toBeGreaterThan(1);
    expect(loaded.filter((path) => inPage.includes(path))).toEqual([]);
    const first = (end: string) => loaded.findIndex((path) => path.endsWith(end));
    expect(first('.woff2')).toBeGreaterThan(first('.js'));
    expect(loaded.filter((path) => path.endsWith('.woff2'))).toHaveLength(3);
    // Where the machine was slow they are at hand the second time.
    await expect
      .poll(async () => (await faces(page)) === 'ours' || !(await page.reload()))
      .toBe(true);
    expect(problems).toEqual([]);
    await close();
  });

  it('keeps its faces where ours come late', async () => {
    const { context, page, close } = await openVisitor(browser, server.url);
    await context.route('**/*.woff2', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await page.goto('/');
    await haveFaces(page);
    await page.waitForTimeout(200);
    expect(await faces(page)).toBe('later');
    // The next page that is not the first of a visit has them at hand.
    await page.goto('/auth');
    expect(await faces(page)).toBe('ours');
    await close();
  });
});
