import { describe, expect, it } from 'vitest';
import { breakCalls } from '../support/break-calls.ts';
import { signUp } from '../support/client.ts';
import { answer, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

/** Whether a press in the middle of the element meets it, and nothing that lies over it. */
const isOnTop = (element: unknown): boolean => {
  const { x, y, width, height } = Object(element).getBoundingClientRect();
  const { document } = Object(globalThis);
  return Object(element).contains(document.elementFromPoint(x + width / 2, y + height / 2));
};

describe('the shell', () => {
  const { visit, open, server } = sharedWorld();

  it('at the end of a page nothing stays beneath a message that stays', async () => {
    const { user, password } = await signUp(server.url, 'Ada Lovelace');
    const { page } = await open({ viewport: { width: 360, height: 640 } });
    await signIn(page, { email: user.email, password });
    await page.getByRole('tabpanel').first().waitFor();
    await breakCalls(page, '/auth/logout', { status: 500 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await answer(page, 'Are you sure you want to logout?', 'OK');
    await page.getByText('Unable to logout due to technical issues.').waitFor();
    const copyright = page.getByRole('contentinfo').getByText('©').last();
    // The room for the message is made a moment after it is shown. The menu covers what is above.
    const isClear = async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      return copyright.evaluate(isOnTop);
    };
    await expect.poll(isClear).toBe(true);
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
    await expect.poll(colour).toBe('#f4f1ea');
    await choose('Dark').toBe('#121715');
    await page.reload();
    await expect.poll(colour).toBe('#121715');
    await choose('System').toBe('#f4f1ea');
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
