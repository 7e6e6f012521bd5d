import { describe, expect, it } from 'vitest';
import { sharedWorld } from '../support/world.ts';

describe('the shell', () => {
  const { visit } = sharedWorld();

  it.each([
    ['/dashboard', '/'],
    ['/create', '/'],
    ['/profile', '/'],
  ])('sends a visitor from %s to %s', async (from, to) => {
    const { page, problems } = await visit();
    await page.goto(from);
    await page.waitForURL(to);
    expect(problems).toEqual([]);
  });

  it('gives the window the colour of the appearance that was chosen', async () => {
    const { page } = await visit({ colorScheme: 'light' });
    const colour = () =>
      page.evaluate<string>(
        "Array.from(document.querySelectorAll('meta[name=theme-color]')).find(({ media }) => matchMedia(media).matches).content",
      );
    // Again and again: until the app has taken the rendered page over, a press is in vain.
    const choose = (name: string) =>
      expect.poll(async () => {
        await page.getByRole('radio', { name }).click({ force: true });
        return colour();
      });
    await page.goto('/help');
    expect(await colour()).toBe('#f4f1ea');
    await choose('Dark').toBe('#121715');
    await page.reload();
    expect(await colour()).toBe('#121715');
    await choose('System').toBe('#f4f1ea');
  });

  it('says so when a page does not exist, and leads home', async () => {
    const { page, problems } = await visit();
    await page.goto('/no/such/page');
    await page.getByText('404').waitFor();
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await page.waitForURL('/');
    // The page itself comes with that status, which the browser reports.
    expect(problems.filter((problem) => !problem.includes('status of 404'))).toEqual([]);
  });

  it('asks a visitor to log in before creating, and stays when they decline', async () => {
    const { page, problems } = await visit();
    const create = page.getByRole('main').getByText('Create Your Capsule');
    const question = page.getByRole('alertdialog').filter({
      hasText:
        'You need to log in first to create a time capsule. Would you like to go to the login page?',
    });
    await page.goto('/');
    await create.click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/');

    await create.click();
    await question.getByRole('button', { name: 'OK' }).click();
    await page.waitForURL('/auth');
    expect(problems).toEqual([]);
  });

  it('preloads no font in vain', async () => {
    const { page, problems } = await visit();
    await page.goto('/auth', { waitUntil: 'networkidle' });
    const asked = await page.evaluate<string[]>(
      'performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => name.endsWith(".woff2"))',
    );
    const preloaded = await page.evaluate<string[]>(
      'Array.from(document.querySelectorAll("link[rel=preload][as=font]"), (link) => link.href)',
    );
    expect(asked).toEqual(expect.arrayContaining(preloaded));
    expect(preloaded).not.toEqual([]);
    expect(problems).toEqual([]);
  });

  it('starts without a network once it has been here', async () => {
    const { context, page, problems } = await visit();
    await page.goto('/');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('main').getByText('Create Your Capsule').waitFor();
    await page.goto('/auth?register=true');
    await page.getByRole('link', { name: 'Login' }).first().waitFor();

    expect(problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual(
      [],
    );
  });
});
