import { describe, expect, it } from 'vitest';
import { rare } from '../support/rare.ts';
import { sharedWorld } from '../support/world.ts';

const HEADING = 'Seal it today. Open it when the time is right.';

/** As the build of another year would have written it: the day it says, the seal's and the footer's. */
function inYear2020(page: string): string {
  const [, year = ''] = /data-day="(\d{4})/.exec(page) ?? [];
  return page
    .replace(`data-day="${year}`, 'data-day="2020')
    .replace(`>${year}<`, '>2020<')
    .replace(`>${Number(year) + 3}<`, '>2023<');
}

describe('the landing page', () => {
  const { server, visit } = sharedWorld();

  it('comes with its words for a visitor, and without them for who may be signed in', async () => {
    const visitor = await fetch(server.url);
    const member = await fetch(server.url, { headers: { cookie: 'session=anything' } });
    expect(await visitor.text()).toContain(HEADING);
    expect(await member.text()).not.toContain(HEADING);
    for (const { headers } of [visitor, member]) {
      expect(headers.get('vary')).toContain('Cookie');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    }

    const etag = visitor.headers.get('etag') ?? '';
    const again = (headers: Record<string, string>) =>
      fetch(server.url, { headers: { 'if-none-match': etag, ...headers } });
    expect((await again({})).status).toBe(304);
    // What a browser keeps from before signing in is not what it gets after.
    expect((await again({ cookie: 'session=anything' })).status).toBe(200);
  });

  it('has its words at no other address', async () => {
    for (const path of ['/auth', '/landing.html', '/index.html', '/no/such/page']) {
      expect(await (await fetch(server.url + path)).text()).not.toContain(HEADING);
    }
  });

  rare('can be read and left where no script runs', async () => {
    const { page } = await visit({ javaScriptEnabled: false });
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: HEADING }).waitFor();
    await page.getByRole('link', { name: 'Get Started Free' }).click();
    await page.waitForURL('/auth?register=true');
  });

  rare('is taken over by the app as it stands, however old it is', async () => {
    const { context, page, problems } = await visit();
    await context.route('/', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: inYear2020(await response.text()) });
    });
    // The script waits until the page has been marked.
    let run = () => {};
    const marked = new Promise<void>((resolve) => {
      run = resolve;
    });
    await context.route('**/static/js/index-*.js', async (route) => {
      await marked;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1, name: HEADING }).waitFor();
    expect(await page.getByRole('contentinfo').textContent()).toContain('© 2020');
    await page.evaluate("document.querySelector('h1').dataset.mark = 'kept'");
    await page.getByText('Dark', { exact: true }).click();
    run();

    await page.getByRole('contentinfo').getByText(`© ${new Date().getUTCFullYear()}`).waitFor();
    await page.locator('h1[data-mark=kept]').waitFor();
    await page.locator('html[data-theme=dark]').waitFor();
    await expect.poll(() => page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await page.getByRole('main').getByText('Create Your Capsule').click();
    await page.getByRole('alertdialog').waitFor();
    expect(problems).toEqual([]);
  });
});
