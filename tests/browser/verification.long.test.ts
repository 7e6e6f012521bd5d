import { expect, it } from 'vitest';
import { breakCalls } from '../support/break-calls.ts';
import { register, signInByForm } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

const account = { name: 'Vera Verified', email: 'vera@example.org', password: 'open sesame' };

const { server, open } = sharedWorld({ config: { emailVerification: true } });

it('an address is verified by its mailed link before the first sign-in', async () => {
  const { page, problems } = await open();
  await register(page, account);
  const ready = page.getByRole('region', { name: 'Your account is ready' });
  await ready
    .getByText(`We sent a link to ${account.email}. Open it before you sign in.`)
    .waitFor();
  await ready.getByRole('link', { name: 'Not your address?' }).waitFor();
  await ready.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  const prompt = page.getByRole('dialog', { name: 'Verify your email' });
  await prompt.getByText(account.email).waitFor();
  await prompt.getByRole('button', { name: 'Resend' }).click();
  await prompt.getByText('Sent. It can take a minute to arrive.').waitFor();

  // The first link was mailed at registration; the second has voided it.
  await until(() => (server.mailer.sent.length === 2 ? true : null));
  const link = await server.mailedLink(account.email, '/auth/verify-email');
  const { page: scanner } = await open();
  await scanner.goto(link.href);
  await scanner.getByRole('heading', { name: 'Confirm your email' }).waitFor();
  await scanner.waitForLoadState('networkidle');
  // Opening it has confirmed nothing, or the next press would find a used link.
  // A train goes through a tunnel: the link is as good as before.
  await breakCalls(page, '/auth/verify-email', 'cut');
  await page.goto(link.href);
  const confirm = page.getByRole('button', { name: 'Confirm this address' });
  await confirm.click();
  await page.getByText('You need a connection for this.').waitFor();
  await page.unrouteAll();
  await confirm.click();
  await page.getByRole('heading', { name: 'Email confirmed' }).waitFor();
  await expect.poll(() => page.title()).toBe('Email confirmed · Time Capsule');
  await signInByForm(page, account);

  // The refused sign-in is reported by the browser itself.
  expect(
    problems.filter((problem) => !/status of 403|ERR_CONNECTION_FAILED/.test(problem)),
  ).toEqual([]);
});
