import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { launchBrowser, openVisitor, type Visitor } from '../support/browser.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const FOR_VISITORS = [
  '/',
  '/auth',
  '/auth?register=true',
  '/auth/forgot-password',
  '/help',
  '/privacy',
  '/terms',
];
const FOR_MEMBERS = ['/dashboard', '/create', '/outbox', '/profile'];
describe.each(['light', 'dark'] as const)('accessibility, %s', (colorScheme) => {
  let server: TestServer;
  let browser: Browser;
  let visitor: Visitor;
  let ada: SignedIn;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer({ client: true }), launchBrowser()]);
    ada = await signUp(server.url, 'Ada Lovelace');
    visitor = await openVisitor(browser, server.url, { colorScheme, reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it.each(FOR_VISITORS)('%s, for a visitor', async (path) => {
    expect(await violations(visitor, path)).toEqual([]);
  });

  it('every screen of a person who is signed in', async () => {
    await signIn(visitor.page, { email: ada.user.email, password: ada.password });
    for (const path of [...FOR_MEMBERS, `/profile/${ada.user.id}`]) {
      expect(await violations(visitor, path), path).toEqual([]);
    }
  });
});

/** One line for each element that breaks a rule. */
async function violations({ page }: Visitor, path: string): Promise<string[]> {
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await until(async () => ((await page.getByText(/^Loading/).count()) === 0 ? true : null));
  return axeViolations(page);
}
