import { expect, it } from 'vitest';
import { makeRecoveryCodes } from '../../shared/api/recovery-codes.ts';
import { confirmMain } from '../support/addresses.ts';
import { atPasskey, signOut, withoutAutofill } from '../support/at-passkey.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { answerOf } from '../support/client.ts';
import { onDashboard } from '../support/screens.ts';

const { server, open, withPasskey } = atPasskey();

it('a passkey is added, signs in without an address, and answers where the password is asked', async () => {
  const { ada, page, device } = await withPasskey('Ada Passkey');
  expect(await axeInBothSchemes(page)).toEqual([]);
  await page.getByText('not used yet').waitFor();
  await signOut(page);

  await withoutAutofill(page);
  await page.goto('/auth');
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.waitFor();
  expect(await axeInBothSchemes(page)).toEqual([]);
  await button.click();
  await page.getByText('Welcome back!').waitFor();
  await onDashboard(page);

  await page.goto('/profile/sign-in');
  await page.getByText(/^This device · signed in with a passkey on/).waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const others = page.getByRole('dialog', { name: 'Sign out everywhere else?' });
  await others.getByRole('button', { name: 'Use a passkey instead' }).click();
  await page.getByText("You aren't signed in anywhere else.").waitFor();
  expect((await ada.get('/user/me')).status).toBe(401);

  // Nobody shows a finger.
  await device.verifies(false);
  await page.getByRole('button', { name: /^Remove the passkey/ }).click();
  const removal = page.getByRole('dialog', { name: 'Remove this passkey?' });
  await removal.getByRole('button', { name: 'Use a passkey instead' }).click();
  await removal.getByText('No passkey was used. You can try again, or use another way.').waitFor();
  await removal.getByLabel('Password', { exact: true }).fill(ada.password);
  await removal.getByRole('button', { name: 'Remove it' }).click();
  await page.getByText('The passkey is removed.').waitFor();
  await page.getByRole('button', { name: /^Remove the passkey/ }).waitFor({ state: 'detached' });
});

it('a new device is asked for a passkey, or for a recovery code with the password', async () => {
  const { ada, page } = await withPasskey('Ada Choice');
  await confirmMain(server, ada);
  const [code = ''] = answerOf(
    makeRecoveryCodes,
    await ada.post('/user/recovery-codes', { password: ada.password }),
  ).codes;
  const choice = page.getByRole('switch', { name: 'Ask for a passkey on new devices' });
  await choice.click();
  const dialog = page.getByRole('dialog', { name: 'Ask for a passkey on new devices?' });
  expect(await axeInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Use a passkey instead' }).click();
  await page.getByText('On a new device, your password alone signs nobody in.').waitFor();
  expect(await choice.isChecked()).toBe(true);

  const { page: elsewhere } = await open();
  await elsewhere.goto('/auth');
  await elsewhere.getByLabel('Email', { exact: true }).fill(ada.user.email);
  await elsewhere.getByLabel('Password', { exact: true }).fill(ada.password);
  const enter = () => elsewhere.getByRole('button', { name: 'Sign In', exact: true }).click();
  await enter();
  await elsewhere.getByText(/^This account asks for a passkey on new devices\./).waitFor();
  expect(await axeInBothSchemes(elsewhere)).toEqual([]);
  await elsewhere.getByLabel('Recovery code').fill(code);
  await enter();
  await onDashboard(elsewhere);
});
