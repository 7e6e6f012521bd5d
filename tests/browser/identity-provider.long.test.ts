import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { allSent, newAddress } from '../support/addresses.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { signUp } from '../support/client.ts';
import {
  type IdentityProvider,
  type ProviderPerson,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { onDashboard, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const { server, open, visit } = sharedWorld();
let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider(server.url);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.away(false);
  const identityProvider = { ...provider.settings };
  Object.assign(server.deps.config, { identityProvider, passwordSignIn: true });
});

const unknown = () =>
  provider.put({ email: newAddress(), email_verified: true, name: 'Ada Provider' });

/** On the provider's own page. */
async function loginThere(page: Page, { sub }: ProviderPerson) {
  await page.getByRole('heading', { name: 'Family account' }).waitFor();
  await page.getByLabel('Who are you?').fill(sub);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function continueAs(page: Page, person: ProviderPerson) {
  await page.goto('/auth');
  await page.getByRole('link', { name: 'Continue with Family account' }).click();
  await loginThere(page, person);
}

async function signOut(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
}

it('somebody comes in by the provider, also once the worker serves the app', async () => {
  const { page } = await visit();
  const person = unknown();
  await page.goto('/auth');
  await page.getByRole('link', { name: 'Continue with Family account' }).waitFor();
  expect(await axeInBothSchemes(page)).toEqual([]);
  await continueAs(page, person);
  await page.getByText('Welcome!').waitFor();
  await onDashboard(page);
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await page.goto('/profile/sign-in');
  await page.getByText(/^This device · signed in with Family account on/).waitFor();
  expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  await signOut(page);
  // The provider still knows them, and asks nothing.
  await page.goto('/auth');
  await page.getByRole('link', { name: 'Continue with Family account' }).click();
  await page.getByText('Welcome!').waitFor();
  await onDashboard(page);
});

it('an address that has an account links first, and is unlinked by the email', async () => {
  const ada = await signUp(server.url, 'Ada Links');
  const person = provider.put({ email: ada.user.email, email_verified: true });
  const { page } = await open();
  await continueAs(page, person);
  await page.getByRole('alert').getByText('Your address has an account here already.').waitFor();
  expect(await axeInBothSchemes(page)).toEqual([]);
  await signIn(page, { email: ada.user.email, password: ada.password });

  await page.goto('/profile/sign-in');
  await page.getByRole('button', { name: 'Link Family account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link Family account?' });
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password);
  await dialog.getByRole('button', { name: 'Go to Family account' }).click();
  await page.getByText('Family account signs you in from now on.').waitFor();
  await page.getByRole('button', { name: 'Unlink Family account' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(await axeInBothSchemes(page)).toEqual([]);

  await allSent(server);
  await page.goto((await server.mailedLink(ada.user.email, '/auth/undo-identity')).href);
  await page.getByRole('heading', { name: 'Unlink Family account?' }).waitFor();
  expect(await axeInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Unlink it' }).click();
  await page.getByRole('heading', { name: 'Family account unlinked' }).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
});

it('while the provider is away the button says so, and the form works', async () => {
  const ada = await signUp(server.url, 'Ada Away');
  const { page } = await open();
  await page.goto('/auth');
  provider.away(true);
  await page.getByRole('link', { name: 'Continue with Family account' }).click();
  await page.getByRole('alert').getByText("Family account doesn't answer right now.").waitFor();
  await page.getByLabel('Email', { exact: true }).fill(ada.user.email);
  await page.getByLabel('Password', { exact: true }).fill(ada.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await onDashboard(page);
});

it('where passwords are off, the button stands alone, and the provider confirms what deletes an account', async () => {
  server.deps.config.passwordSignIn = false;
  const { page } = await open();
  const person = unknown();
  await page.goto('/auth');
  await page.getByText('Here you sign in with Family account.').waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
  expect(await axeInBothSchemes(page)).toEqual([]);
  await continueAs(page, person);
  await onDashboard(page);

  await page.goto('/profile/safety');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByRole('button', { name: 'Confirm with Family account' }).waitFor();
  expect(await dialog.getByLabel('Password').count()).toBe(0);
  expect(await axeInBothSchemes(page)).toEqual([]);
  await dialog.getByLabel('Destroy them').check();
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByText("Please confirm below that it's you.").waitFor();
  await dialog.getByRole('button', { name: 'Confirm with Family account' }).click();
  // They have signed in there a moment ago, which counts for five minutes.
  await page.getByText("Family account has confirmed that it's you.").waitFor();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByLabel('Destroy them').check();
  await dialog.getByRole('button', { name: 'Go on, as Family account has confirmed' }).click();
  await page.getByText('Your account has been deleted.').waitFor();
});

it('an invitation is accepted by the provider', async () => {
  const ada = await signUp(server.url, 'Ada Invites');
  const invited = newAddress();
  const { link } = (await ada.post('/user/invitations', { email: invited })).json as {
    link: string;
  };
  const { page } = await open();
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue with Family account' }).click();
  await loginThere(page, unknown());
  await onDashboard(page);
  await page.goto('/profile');
  await page.getByText(invited).first().waitFor();
});
