import { beforeAll, describe, expect, it } from 'vitest';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

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
});
