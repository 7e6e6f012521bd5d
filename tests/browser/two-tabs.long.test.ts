import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seal } from '../support/capsules.ts';
import { signUp } from '../support/client.ts';
import { SAVED, signIn, signInByForm } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const { server, visit } = sharedWorld();

const letter = (page: Page) => page.getByLabel('Personal Message');
const goOnHere = (page: Page) => page.getByRole('button', { name: 'Go on here' });

it('one tab at a time writes in a draft, and the other shows its words', async () => {
  const { user, password } = await signUp(server.url, 'Ada');
  const { page: first, context } = await visit();
  await signIn(first, { email: user.email, password });
  await first.goto('/create');
  await letter(first).fill('Dear');
  await first.getByText(SAVED).first().waitFor();

  const second = await context.newPage();
  await second.goto(first.url());
  await second.getByText('Open in another tab.').waitFor();
  await expect.poll(() => letter(second).inputValue()).toBe('Dear');
  await letter(first).fill('Dear Mia');
  await expect.poll(() => letter(second).inputValue()).toBe('Dear Mia');
  // They can be read aloud, selected and copied, and not changed.
  await second.getByRole('textbox', { name: 'Personal Message' }).selectText();
  expect(await second.evaluate('String(getSelection())')).toBe('Dear Mia');
  await second.keyboard.type('x');
  expect(await letter(second).inputValue()).toBe('Dear Mia');
  expect(await second.getByRole('button', { name: 'Select Recipients' }).isEnabled()).toBe(false);

  await goOnHere(second).click();
  await first.getByText('Open in another tab.').waitFor();
  await letter(second).fill('Dear Mia, hello');
  await expect.poll(() => letter(first).inputValue()).toBe('Dear Mia, hello');
  await goOnHere(second).waitFor({ state: 'detached' });

  await second.close();
  await goOnHere(first).waitFor({ state: 'detached' });
  await letter(first).fill('Dear Mia, hello again');
  await first.getByText(SAVED).first().waitFor();
});

it('a page that slept while somebody else signed in begins anew, as theirs', async () => {
  const ada = await signUp(server.url, 'Asleep Ada');
  const ben = await signUp(server.url, 'Awake Ben');
  await seal(ben, ben, { title: 'Only for Ben' });
  const { page: asleep, context } = await visit();
  // A page asleep hears of another tab once it wakes, when the flag is set again.
  await asleep.addInitScript(
    "addEventListener('storage', (event) => event.stopImmediatePropagation())",
  );
  await signIn(asleep, { email: ada.user.email, password: ada.password });
  await asleep.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();

  const awake = await context.newPage();
  await context.clearCookies();
  await awake.goto('/dashboard');
  await awake.waitForURL('/');
  await signInByForm(awake, { email: ben.user.email, password: ben.password });
  await awake.getByRole('heading', { name: 'Only for Ben' }).waitFor();
  const woken = asleep.waitForEvent('load');
  await asleep.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await woken;
  await asleep.getByRole('heading', { name: 'Only for Ben' }).waitFor();
});
