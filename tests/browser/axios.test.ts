import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { launchBrowser, openVisitor } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

it("axios' browser build works unchanged from the same origin, XSRF token and all", async () => {
  const { context, page, close } = await openVisitor(browser, server.url);
  const scripts = {
    '/axios.js': await read('../../node_modules/axios/dist/axios.min.js'),
    '/page.js': await read('../support/axios-page.js'),
  };
  for (const [path, body] of Object.entries(scripts)) {
    await context.route(path, (route) => route.fulfill({ contentType: 'text/javascript', body }));
  }
  await context.route('/axios', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>axios</title><script src="/axios.js"></script><script src="/page.js"></script>',
    }),
  );

  await page.goto('/axios');
  const input = {
    account: { name: 'Axios', email: 'axios@example.org', password: 'promise' },
    dateToUnlock: addDays(dayAt(server.clock.now(), 'UTC'), 1),
  };
  expect(await page.evaluate(`sealAndDelete(${JSON.stringify(input)})`)).toEqual([
    ['me, not signed in', 401],
    ['register', 201],
    ['login', 200],
    ['me', 200],
    ['profile', 200],
    ['create', 201],
    ['delete', 200],
    ['logout', 200],
    ['me, signed out', 401],
  ]);
  await close();
});

function read(path: string): Promise<string> {
  return readFile(new URL(path, import.meta.url), 'utf8');
}
