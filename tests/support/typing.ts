import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Visitor } from './browser.ts';
import type { SignedIn } from './client.ts';
import { signIn } from './screens.ts';

/* One letter that is written on two devices at once. */

const letter = (page: Page) => page.getByLabel('Personal Message');

/** Begins a letter on one device, and opens it on both. */
export async function openOnBoth(
  { user, password }: SignedIn,
  visit: () => Promise<Visitor>,
): Promise<[Visitor, Visitor]> {
  const [laptop, phone] = [await visit(), await visit()];
  for (const { page } of [laptop, phone]) await signIn(page, { email: user.email, password });
  await laptop.page.goto('/create');
  await laptop.page.getByLabel('Capsule Title').fill('For Mia');
  await letter(laptop.page).fill('Dear Mia');
  await savedToAccount(laptop);
  await phone.page.reload();
  await phone.page.getByRole('link', { name: 'Continue For Mia' }).click();
  await letter(phone.page).waitFor();
  return [laptop, phone];
}

/** Until the account has all that was typed. */
export async function savedToAccount({ page }: Visitor): Promise<void> {
  const saved = page.getByRole('complementary').getByText(/^Saved to your account/);
  await saved.waitFor({ timeout: 20_000 });
}

/** Types words of its own where the caret is. */
export async function typeWords(
  { page }: Visitor,
  name: string,
  { at, count, delay }: { at: 'Home' | 'End'; count: number; delay: number },
): Promise<void> {
  await letter(page).focus();
  await page.keyboard.press(`Control+${at}`);
  for (let word = 1; word <= count; word += 1) {
    const text = `${name}${word}.`;
    await page.keyboard.type(at === 'Home' ? `${text} ` : ` ${text}`, { delay });
  }
}

/** Both show the same letter: what was typed at its beginning, the letter, and what was typed at its end. */
export async function expectTogether(
  [one, other]: [Visitor, Visitor],
  before: string,
  after: string,
  { count, timeout }: { count: number; timeout: number },
): Promise<void> {
  const words = (name: string) => Array.from({ length: count }, (_, at) => `${name}${at + 1}.`);
  const text = [...words(before), 'Dear', 'Mia', ...words(after)].join(' ');
  for (const { page } of [one, other]) {
    await expect.poll(() => letter(page).inputValue(), { timeout }).toBe(text);
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  }
}
