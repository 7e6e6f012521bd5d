import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openVisitor } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ client: true }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

it('a link to one section of a page leads there, from outside and from another page', async () => {
  const { page, problems, close } = await openVisitor(browser, server.url);
  await page.goto('/help#leaving');
  await nearTop(page.getByRole('heading', { name: 'Deleting your account' }));

  // Not an escape, and nothing that the page could have: it is shown from its top.
  await page.goto('/help#%');
  await page.getByRole('heading', { level: 1, name: 'Help Center' }).waitFor();

  await page.goto('/terms');
  await page.getByRole('main').getByRole('link', { name: 'Privacy Policy' }).last().click();
  await page.waitForURL('/privacy#operator');
  await nearTop(page.getByRole('heading', { name: 'What the operator can see' }));

  await page.getByRole('link', { name: 'Deletion and export' }).click();
  await page.waitForURL('/privacy#deletion');
  expect(problems).toEqual([]);
  await close();
});

/** Waits until it stands right below the header. */
async function nearTop(heading: Locator): Promise<void> {
  await heading.waitFor();
  await until(async () => {
    const box = await heading.boundingBox();
    return box && box.y > 0 && box.y < 200 ? true : null;
  });
}
