import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { updateUser } from '../../server/db/accounts/users.ts';
import { stillYoursTokens } from '../../server/domain/accounts/address-check.ts';
import { addSecond, allSent, newAddress, resetBy } from '../support/addresses.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { keyTo, pressAt, typeAt } from '../support/keyboard.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const { server, visit } = sharedWorld();

async function follow(page: Page, email: string, path: string): Promise<void> {
  await allSent(server);
  await page.goto((await server.mailedLink(email, path)).href);
}

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

async function atAddresses(name: string) {
  const person = await signUp(server.url, name);
  const visitor = await visit();
  await signIn(
    visitor.page,
    { email: person.user.email, password: person.password },
    '/profile/addresses',
  );
  await button(visitor.page, 'Change main address').waitFor();
  return { ...visitor, person };
}

it('a second address is added, withdrawn, added again and removed with nothing but a keyboard', async () => {
  const { page } = await atAddresses('Keyboard Kim');
  const second = newAddress();
  const dialog = page.getByRole('dialog');
  const ask = async () => {
    await pressAt(page, button(page, 'Add a second address'), 'Enter');
    await typeAt(page, dialog.getByLabel('New address'), second);
    await typeAt(page, dialog.getByLabel('Password', { exact: true }), PASSWORD);
    await page.keyboard.press('Enter');

    await page.getByText(`We sent a link to ${second} (`).waitFor();
  };
  await ask();
  await pressAt(page, button(page, 'Withdraw'), 'Enter');
  await page.getByText(`We sent a link to ${second} (`).waitFor({ state: 'detached' });
  const { page: reader } = await visit();
  await follow(reader, second, '/auth/confirm-email');
  await reader.getByRole('heading', { name: "This link doesn't work any more" }).waitFor();

  await ask();
  // The address is in the form already.
  await pressAt(page, button(page, 'Send another link'), 'Enter');
  expect(await dialog.getByLabel('New address').inputValue()).toBe(second);
  await page.keyboard.press('Escape');
  await keyTo(page, button(page, 'Send another link'));
  await follow(reader, second, '/auth/confirm-email');
  await reader.getByText(`You asked us to make ${second} the second address`).waitFor();
  await pressAt(reader, button(reader, 'Confirm this address'), 'Enter');
  await reader.getByText(`${second} is your second address now.`).waitFor();

  await page.reload();
  await pressAt(page, button(page, 'Make it the main one'), 'Enter');
  await dialog
    .getByText("the one you have now leaves your account, because it isn't confirmed")
    .waitFor();
  expect(await dialog.getByLabel('New address').inputValue()).toBe(second);
  await page.keyboard.press('Escape');
  await pressAt(page, button(page, 'Remove it'), 'Enter');
  await typeAt(page, dialog.getByLabel('Password', { exact: true }), PASSWORD);
  await page.keyboard.press('Enter');
  await button(page, 'Add a second address').waitFor();
});

it('a new password counts once the other address says yes', async () => {
  const person = await signUp(server.url, 'Forgetful Fay');
  const second = await addSecond(server, person);
  await resetBy(server, person.user.email, 'remembered now');
  const { page } = await visit();
  await follow(page, second, '/auth/new-password');
  await button(page, 'Yes, it was me').click();
  await page.getByRole('heading', { name: 'Your new password works now' }).waitFor();
  await page.getByRole('link', { name: 'Go to Login' }).click();
  await signIn(page, { email: person.user.email, password: 'remembered now' });
});

it('emails that come back are said once a visit, until the address works', async () => {
  const { page, person } = await atAddresses('Bouncing Bo');
  const now = server.clock.now();
  await updateUser(server.deps.db, person.user.id, { emailVerifiedAt: now, emailBouncedAt: now });
  await page.goto('/dashboard');
  const notice = page.getByRole('complementary', { name: /come back$/ });
  await notice.getByRole('button', { name: 'Not now' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();
  expect(await notice.count()).toBe(0);

  await page.reload();
  await notice.getByRole('link', { name: 'See your addresses' }).click();
  await page.getByText('Emails to it have been coming back since').waitFor();
  await button(page, 'This address works').click();
  await page.getByText("It's confirmed, and no email to it has come back.").waitFor();
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();
  expect(await notice.count()).toBe(0);
});

it('without a connection the addresses are shown, and a change says what it needs', async () => {
  const { page, context, person } = await atAddresses('Offline Olga');
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await context.setOffline(true);
  await page.reload();
  await page.getByText(person.user.email, { exact: true }).waitFor();
  await button(page, 'Change main address').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New address').fill(newAddress());
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Send the link' }).click();
  await dialog.getByText('You need a connection to change this.').waitFor();
});

it('the yearly question is answered with one press, signed in or not', async () => {
  const { page, person } = await atAddresses('Yearly Yara');
  const { id, email } = person.user;
  const token = (await stillYoursTokens(server.deps))(id, email);
  const { page: stranger } = await visit();
  for (const each of [page, stranger]) {
    await each.goto(`/auth/still-yours?${new URLSearchParams({ token })}`);
    await button(each, 'Yes, this is my address').click();
    await each.getByText(`We'll keep writing to ${email}.`).waitFor();
  }
  await page.getByRole('link', { name: 'See your addresses' }).click();
  await page.waitForURL('/profile/addresses');
  await stranger.getByRole('link', { name: 'See your addresses' }).click();
  await stranger.waitForURL('/auth');
});
