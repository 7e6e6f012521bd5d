import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { sharedWorld } from '../support/world.ts';

const { server, visit } = sharedWorld({ client: false });

it("axios' browser build works unchanged from the same origin, XSRF token and all [7.http.2 7.calls.23]", async () => {
  const { context, page } = await visit();
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
});

function read(path: string): Promise<string> {
  return readFile(new URL(path, import.meta.url), 'utf8');
}
