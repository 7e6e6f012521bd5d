import { expect, it } from 'vitest';
import { signUp } from '../support/client.ts';
import { runAdmin } from '../support/run-admin.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const contact = { email: 'us@capsules.example', links: [], imprintUrl: null, termsUrl: null };
const { server, open } = sharedWorld({ config: { contact } });

it('a suspended person is signed out, and reads at the sign-in whom to write to', async () => {
  const { page } = await open();
  const eve = await signUp(server.url, 'Eve');
  await signIn(page, { email: eve.user.email, password: eve.password });
  // A page that is open may hear of it at any moment, and say so before it is looked at.
  await page.goto('about:blank');
  const suspend = ['suspend', eve.user.email, '--reason', 'sends threats', '--yes'];
  const { ok } = await runAdmin(server, suspend);
  expect(ok).toBe(true);
  await page.goto('/dashboard');
  await page.getByText("You've been signed out.").waitFor();
  await page.goto('/auth');
  await page.getByLabel('Email', { exact: true }).fill(eve.user.email);
  await page.getByLabel('Password', { exact: true }).fill(eve.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  const alert = page.getByRole('main').getByRole('alert');
  await alert
    .getByText('This account is suspended. Write to us@capsules.example if you have questions.')
    .waitFor();
  const ask = alert.getByRole('link', { name: 'us@capsules.example' });
  expect(await ask.getAttribute('href')).toBe('mailto:us@capsules.example');
});
