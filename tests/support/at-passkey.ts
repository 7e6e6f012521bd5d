import type { Page } from 'playwright-core';
import { signUp } from './client.ts';
import { signIn } from './screens.ts';
import { addVirtualAuthenticator } from './virtual-authenticator.ts';
import { sharedWorld } from './world.ts';

/** A site on which browsers make passkeys, for the tests of one file. */
export function atPasskey() {
  // Browsers make none for an address in numbers.
  const { server, open } = sharedWorld({ host: 'localhost', wholeBrowser: true });

  /** Somebody who has added a passkey in this page. */
  async function withPasskey(name: string) {
    const ada = await signUp(server.url, name);
    const { page } = await open();
    const device = await addVirtualAuthenticator(page);
    await signIn(page, { email: ada.user.email, password: ada.password });
    await page.goto('/profile/sign-in');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey?' });
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password);
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Your passkey is added.').waitFor();
    return { ada, page, device };
  }
  return { server, open, withPasskey };
}

export async function signOut(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
}

/** A browser that offers no passkeys by itself: the virtual authenticator takes every offer. */
export const withoutAutofill = (page: Page) =>
  page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
