import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addSecond, allSent, newAddress } from '../support/addresses.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const { server, open } = sharedWorld();

async function follow(page: Page, email: string, path: string): Promise<void> {
  await allSent(server);
  await page.goto((await server.mailedLink(email, path)).href);
}

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();

it('the main address changes with the link in an email, and changes back with another', async () => {
  const { user, password } = await signUp(server.url, 'Ada Lovelace');
  const moved = newAddress();
  const { page } = await open();
  await signIn(page, { email: user.email, password }, '/profile/emails');
  await page.getByRole('link', { name: 'Your email addresses' }).click();
  await press(page, 'Change main address');
  const dialog = page.getByRole('dialog', { name: 'Change your main address' });
  await dialog.getByLabel('New address').fill(moved);
  await dialog.getByLabel('Password', { exact: true }).fill('not mine');
  await dialog.getByRole('button', { name: 'Send the link' }).click();
  await dialog.getByText("That isn't your password").waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText(`We sent a link to ${moved} (`).waitFor();
  await dialog.waitFor({ state: 'hidden' });

  // Read on another device. Who only opens it, as mail scanners do, confirms nothing.
  const { page: other } = await open();
  await follow(other, moved, '/auth/confirm-email');
  await other.getByRole('button', { name: 'Confirm this address' }).waitFor();
  await page.reload();
  await page.getByText(`We sent a link to ${moved} (`).waitFor();
  await press(other, 'Confirm this address');
  await other.getByText(`${moved} is your main address now.`).waitFor();
  await page.reload();
  await page.getByText(user.email).waitFor({ state: 'detached' });
  await page.getByText(moved, { exact: true }).waitFor();
  await other.getByRole('link', { name: 'See your addresses' }).click();
  await other.getByLabel('Email', { exact: true }).fill(moved);
  await other.getByLabel('Password', { exact: true }).fill(password);
  await press(other, 'Sign In');
  await other.waitForURL('/profile/addresses');

  // It was somebody else: whoever reads the old address gets the account back.
  const { page: owner } = await open();
  await signIn(owner, { email: moved, password });
  await follow(owner, user.email, '/auth/undo-email');
  await owner.getByText(`The main address was changed in your account (${user.email}).`).waitFor();
  await press(owner, 'Undo the change');
  await owner.getByText('every device is signed out').waitFor();
  await owner.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  expect(await axeInBothSchemes(owner)).toEqual([]);
  await owner.reload();
  await owner.getByRole('heading', { name: "This link doesn't work any more" }).waitFor();
  await follow(owner, user.email, '/auth/reset-password');
  await owner.getByLabel('New Password', { exact: true }).waitFor();
  await other.reload();
  await other.getByText("You've been signed out.").waitFor();
});

it('a new password waits for the other address, and a signed-in device stops it', async () => {
  const grace = await signUp(server.url, 'Grace Hopper');
  const { user, password } = grace;
  const second = await addSecond(server, grace);
  const { page } = await open();
  await signIn(page, { email: user.email, password });

  const { page: thief } = await open();
  await grace.post('/auth/forgot-password', { email: user.email });
  await follow(thief, user.email, '/auth/reset-password');
  await thief.getByLabel('New Password', { exact: true }).fill('of a thief');
  await thief.getByLabel('Confirm New Password', { exact: true }).fill('of a thief');
  await press(thief, 'Update Password');
  await thief.getByRole('heading', { name: 'One more step' }).waitFor();
  await thief.getByText('Without an answer, it takes effect on').waitFor();

  await page.goto('/dashboard');
  const notice = page.getByRole('complementary', { name: /^A new password for your account/ });
  await notice.getByRole('link', { name: 'See your addresses' }).click();
  await press(page, 'Stop it');
  const dialog = page.getByRole('dialog', { name: 'Stop the new password?' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Stop it' }).click();
  await page.getByText('The new password is stopped.').waitFor();
  await page
    .getByRole('heading', { name: 'A new password is waiting' })
    .waitFor({ state: 'detached' });
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();
  expect(await notice.count()).toBe(0);
  await follow(thief, second, '/auth/new-password');
  await press(thief, 'Yes, it was me');
  await thief.getByRole('heading', { name: "This link doesn't work any more" }).waitFor();
});

it('the main address is confirmed by a link, where nobody had to', async () => {
  const { user, password } = await signUp(server.url, 'Mary Shelley');
  const { page } = await open();
  await signIn(page, { email: user.email, password }, '/profile/addresses');
  await page.getByText('Not confirmed yet.').waitFor();
  await press(page, 'Confirm it');
  const dialog = page.getByRole('dialog', { name: 'Confirm your main address' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText(`We sent a link to ${user.email} (`).waitFor();
  expect(await page.getByRole('button', { name: 'Confirm it' }).count()).toBe(0);
  await press(page, 'Send another link');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const { page: other } = await open();
  await follow(other, user.email, '/auth/confirm-email');
  await press(other, 'Confirm this address');
  await other.getByText(`${user.email} is still your main address`).waitFor();
  await page.reload();
  await page.getByText("It's confirmed, and no email to it has come back.").waitFor();
  expect(await page.getByText('We sent a link to').count()).toBe(0);
});

it('addresses that this device has never seen need a connection', async () => {
  const { user, password } = await signUp(server.url, 'Emmy Noether');
  const { page } = await open();
  await signIn(page, { email: user.email, password });
  await page.route('**/user/addresses', (route) => route.abort());
  await page.goto('/profile/addresses');
  await page.getByText('You need a connection to see your addresses.').waitFor();
  await page.unroute('**/user/addresses');
  await press(page, 'Try again');
  await page.getByText(user.email).waitFor();
});
