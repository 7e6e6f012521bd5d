import { expect, it } from 'vitest';
import { addSecond, allSent, confirmMain } from '../support/addresses.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const { server, open } = sharedWorld();

it('a code that was saved lets a new password work without the other address', async () => {
  const ada = await signUp(server.url, 'Ada Codes');
  await confirmMain(server, ada);
  await addSecond(server, ada);
  const { page, context } = await open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, { email: ada.user.email, password: ada.password }, '/profile/sign-in');
  await page.getByText("You don't have any codes.").waitFor();
  await page.getByRole('button', { name: 'Make recovery codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make recovery codes?' });
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password);
  await dialog.getByRole('button', { name: 'Make them' }).click();
  await page.getByText(`Recovery codes for ${ada.user.email} on`).waitFor();
  expect(await axeInBothSchemes(page)).toEqual([]);
  const codes = await page
    .getByRole('listitem')
    .filter({ hasText: /^\w{4}-/ })
    .allInnerTexts();
  expect(codes).toHaveLength(8);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied.').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'));
  // On paper there is nothing but the codes.
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText(String(codes[7])).isVisible()).toBe(true);
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(false);
  await page.evaluate('scrollTo(0, 0)');
  const first = await page.getByText(String(codes[0])).boundingBox();
  // At the top of the first sheet, and not below the room of what is left out.
  expect(first?.y).toBeLessThan(300);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole('button', { name: "I've saved them" }).click();
  await page.getByText(/^8 of 8 codes left/).waitFor();
  // A phone shows the card from its top, and not the page's end.
  const card = page.getByRole('heading', { name: 'Recovery codes' });
  expect((await card.boundingBox())?.y).toBeGreaterThan(0);
  const focused = () => page.evaluate('document.activeElement?.textContent');
  await expect.poll(focused).toBe('Make new codes');

  await page.goto('/auth/forgot-password');
  await page.getByLabel('Email').fill(ada.user.email);
  await page.getByRole('main').getByRole('button').first().click();
  await allSent(server);
  await page.goto((await server.mailedLink(ada.user.email, '/auth/reset-password')).href);
  await page.getByLabel('New Password', { exact: true }).fill('another horse');
  await page.getByLabel('Confirm New Password', { exact: true }).fill('another horse');
  await page.getByRole('button', { name: 'Update Password' }).click();
  await page.getByRole('link', { name: 'Use a recovery code' }).click();
  await page.getByRole('heading', { level: 1, name: 'Use a recovery code' }).waitFor();
  await page.getByLabel('Your new password', { exact: true }).fill('another horse');
  await page.getByLabel('Recovery code').fill('0000-0000');
  await page.getByRole('button', { name: 'Use this code' }).click();
  await page.getByText(/^This code and password don't fit together/).waitFor();
  await page.getByLabel('Recovery code').fill(String(codes[3]).toUpperCase());
  await page.getByRole('button', { name: 'Use this code' }).click();
  await page.getByRole('heading', { name: 'Your new password works now' }).waitFor();
  await signIn(page, { email: ada.user.email, password: 'another horse' });
});
