import { expect, it } from 'vitest';
import { listPasskeys } from '../../shared/api/passkeys.ts';
import { makeRecoveryCodes } from '../../shared/api/recovery-codes.ts';
import { allSent, confirmMain } from '../support/addresses.ts';
import { atPasskey, signOut, withoutAutofill } from '../support/at-passkey.ts';
import { addPasskeyTo } from '../support/authenticator.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { answerOf, signUp } from '../support/client.ts';
import { onDashboard, signIn } from '../support/screens.ts';

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

it('the browser offers a passkey where the address is typed', async () => {
  const { page, device } = await withPasskey('Ada Autofill');
  await signOut(page);
  await device.verifies(false);
  const asked = page.waitForResponse('**/auth/passkey/options');
  await page.goto('/auth');
  await asked;
  const email = page.getByLabel('Email', { exact: true });
  expect(await email.getAttribute('autocomplete')).toBe('username webauthn');
  // No test can press in the browser's list: this authenticator takes its passkey by itself.
  await device.verifies(true);
  await page.reload();
  await onDashboard(page);
});

it('the browser offers passkeys again as soon as one was refused', async () => {
  const { page } = await withPasskey('Ada Again');
  await signOut(page);
  // As the server answers where the passkey is of nobody any more.
  const refusal = { message: 'This passkey is unknown here.', code: 'INVALID_PASSKEY' };
  await page.route('**/auth/passkey', (route) => route.fulfill({ status: 400, json: refusal }), {
    times: 1,
  });
  const refused = page.waitForResponse((response) => response.status() === 400);
  await page.goto('/auth');
  await refused;
  // This authenticator takes its passkey by itself, when it is asked once more.
  await onDashboard(page);
});

it('without its authenticator the form works as ever, and an unknown passkey is refused in words', async () => {
  const { ada, page, device } = await withPasskey('Ada Broken');
  await signOut(page);
  const listed = answerOf(listPasskeys, await ada.get('/user/passkeys'));
  const json = { password: ada.password };
  await ada.request('DELETE', `/user/passkeys/${listed[0]?.id}`, { json });
  await withoutAutofill(page);
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').getByText("This passkey doesn't work here any more.").waitFor();
  await device.remove();
  await signIn(page, { email: ada.user.email, password: ada.password });
});

it('a passkey that was not the owner’s is removed by the link in the email', async () => {
  const ada = await signUp(server.url, 'Ada Undo');
  const { page } = await open();
  await signIn(page, { email: ada.user.email, password: ada.password });
  await addPasskeyTo(ada);
  await allSent(server);
  await page.goto((await server.mailedLink(ada.user.email, '/auth/undo-passkey')).href);
  await page.getByRole('heading', { name: 'Remove this passkey?' }).waitFor();
  expect(await axeInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove the passkey' }).click();
  await page.getByRole('heading', { name: 'Passkey removed' }).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
  await signIn(page, { email: ada.user.email, password: ada.password });
  expect((await ada.get('/user/passkeys')).status).toBe(401);
});

it('an account is deleted with a passkey in place of the password', async () => {
  const { ada, page } = await withPasskey('Ada Gone');
  await page.goto('/profile/safety');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByRole('button', { name: 'Use a passkey instead' }).click();
  await dialog.getByText('Please choose what happens to your capsules').waitFor();
  await dialog.getByLabel('Destroy them').check();
  await dialog.getByRole('button', { name: 'Use a passkey instead' }).click();
  await page.getByText('Your account has been deleted.').waitFor();
  expect((await ada.get('/user/me')).status).toBe(401);
});
