import { expect, it } from 'vitest';
import { axeInBothSchemes } from '../support/axe.ts';
import { createClient, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const { server, open } = sharedWorld();

it('where somebody is signed in is listed, and other devices are signed out with the password', async () => {
  const ada = await signUp(server.url, 'Ada Sessions');
  const tablet = createClient(server.url);
  await tablet.get('/api/limits');
  const agent = { 'user-agent': 'Mozilla/5.0 (iPad; CPU OS 18_5) Version/18.5 Safari/604.1' };
  await tablet.post('/auth/login', { email: ada.user.email, password: ada.password }, agent);
  const { page } = await open();
  await signIn(page, { email: ada.user.email, password: ada.password }, '/profile/safety');
  await page.getByRole('link', { name: 'See your sign-ins' }).click();
  await page.getByRole('heading', { level: 1, name: 'Signing in' }).waitFor();
  await page.getByText(/^This device · signed in with a password on .* at \d/).waitFor();
  expect(await axeInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign out Safari on iPad' }).click();
  const one = page.getByRole('dialog', { name: 'Sign out Safari on iPad?' });
  await one.getByLabel('Password', { exact: true }).fill('not mine');
  await one.getByRole('button', { name: 'Sign out' }).click();
  await one.getByText("That isn't your password").waitFor();
  await one.getByLabel('Password', { exact: true }).fill(ada.password);
  await one.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Safari on iPad is signed out.').waitFor();
  expect((await tablet.get('/user/me')).status).toBe(401);

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const all = page.getByRole('dialog', { name: 'Sign out everywhere else?' });
  await all.getByLabel('Password', { exact: true }).fill(ada.password);
  await all.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByText("You aren't signed in anywhere else.").waitFor();
  expect((await ada.get('/user/me')).status).toBe(401);
});

it('an email about a new device leads to that page, after a sign-in', async () => {
  const ada = await signUp(server.url, 'Ada Told');
  const { page } = await open();
  await page.goto('/profile/sign-in');
  await page.waitForURL('/');
  await page.goto('/auth');
  await page.getByLabel('Email', { exact: true }).fill(ada.user.email);
  await page.getByLabel('Password', { exact: true }).fill(ada.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('/profile/sign-in');
});
