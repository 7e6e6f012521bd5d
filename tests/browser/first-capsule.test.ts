import { expect, it } from 'vitest';
import { sharedWorld } from '../support/world.ts';

const world = sharedWorld();

it('six presses lead from the landing page to the first sealed letter', async () => {
  const { page } = await world.open({ viewport: { width: 360, height: 740 } });
  const main = page.getByRole('main');
  await page.goto('/');
  await main.getByRole('link', { name: 'Get Started Free' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Email', { exact: true }).fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await main.getByRole('button', { name: 'Create Account' }).click();
  await main.getByRole('link', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await main.getByRole('link', { name: 'A letter to yourself in a year' }).click();
  // Only the letter is left to write.
  await page.getByLabel('Personal Message').fill('Dear me, it was cold.');
  await main.getByRole('button', { name: 'Create Time Capsule' }).click();
  await page.getByText('Time capsule created successfully!').waitFor();
});
