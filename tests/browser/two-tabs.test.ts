import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signUp } from '../support/client.ts';
import { SAVED, signIn } from '../support/screens.ts';
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
