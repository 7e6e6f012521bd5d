import { expect, it } from 'vitest';
import { REGISTRATION_REFUSED } from '../../shared/sentences.ts';
import { site } from '../../shared/site.ts';
import { newAddress } from '../support/addresses.ts';
import { signUp } from '../support/client.ts';
import { signInByForm } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const CONTACT = { email: 'family@capsules.example', links: [] };
const { server, open } = sharedWorld({ config: { contact: CONTACT } });

it('where registration is closed, a sentence says why and whom to ask, and nobody is invited', async () => {
  const { config } = server.deps;
  config.registration = 'open';
  const ada = await signUp(server.url, 'Ada');
  const invited = newAddress();
  const { link } = (await ada.post('/user/invitations', { email: invited })).json as {
    link: string;
  };
  config.registration = 'closed';
  const { page, problems } = await open();
  await page.goto('/auth?register=true');
  const main = page.getByRole('main');
  await main.getByText(REGISTRATION_REFUSED.closed).waitFor();
  const ask = main.getByRole('link', { name: CONTACT.email });
  expect(await ask.getAttribute('href')).toBe(`mailto:${CONTACT.email}`);
  expect(await main.getByRole('textbox').count()).toBe(0);
  expect(await main.getByRole('button').count()).toBe(0);

  // Who has been invited before reads the same, and that nothing is lost.
  await page.goto(link);
  await main.getByText('Ada would like to send you a time capsule.').waitFor();
  await main.getByText(`To get an account, write to ${CONTACT.email}.`).waitFor();
  await main.getByText(/Whatever was sealed for you waits here\.$/).waitFor();
  config.contact = { email: site.contactEmail, links: [] };
  await page.reload();
  await main
    .getByText('To get an account, ask Ada to put you in touch with whoever runs this site.')
    .waitFor();
  config.contact = CONTACT;
  await main.getByRole('link', { name: 'No, thank you' }).click();
  await main.getByRole('link', { name: 'See your invitation' }).click();
  await main.getByText(/^To get an account,/).waitFor();

  await signInByForm(page, { email: ada.user.email, password: ada.password });
  await page.getByRole('link', { name: 'Create New Capsule' }).click();
  await page.getByRole('button', { name: /Recipient/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
  await dialog.getByLabel('Name or email').fill(newAddress());
  await dialog.getByRole('button', { name: 'Search', exact: true }).click();
  await dialog.getByText(/^No users found matching/).waitFor();
  await dialog.getByText(`Ask ${CONTACT.email} to let them in.`).waitFor();
  expect(await dialog.getByText(/invite\b/i).count()).toBe(0);
  await dialog.getByLabel('Name or email').fill(invited);
  await dialog.getByRole('button', { name: 'Search', exact: true }).click();
  await dialog
    .getByText(`They need an account to open it. Ask ${CONTACT.email} to let them in.`)
    .waitFor();
  config.contact = { email: site.contactEmail, links: [] };
  await page.goto('/help#contact');
  await page.getByText('Ask whoever runs this site. Say what you did').waitFor();
  config.contact = CONTACT;
  await page.getByText('Whoever runs this site can make them one.').waitFor();
  expect(await page.getByText('choose “Invite”').count()).toBe(0);
  const invitations = page.locator('tr', { hasText: 'Invitations a day' });
  expect(await invitations.locator('td').textContent()).toBe('none');
  expect(problems).toEqual([]);
});

it('where only invited people can register, no form is shown, and a sign-in says whom to ask', async () => {
  server.deps.config.registration = 'invited';
  const { page } = await open();
  await page.goto('/');
  const main = page.getByRole('main');
  const refused = `This site is by invitation. To get one, write to ${CONTACT.email}.`;
  await main.getByText(refused).waitFor();
  expect(await main.getByRole('link', { name: 'Get Started Free' }).count()).toBe(0);
  await page.goto('/dashboard?capsule=x');
  await main.getByText(`No account? Write to ${CONTACT.email}.`).waitFor();
  await main.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('/auth');
  await page.goto('/auth?register=true');
  await main.getByText(refused).waitFor();
  await page.getByRole('link', { name: 'Already have an account? Sign In' }).click();
  await page.getByLabel('Email', { exact: true }).waitFor();
  await main.getByText(refused).waitFor();
  await main.getByRole('link', { name: CONTACT.email }).waitFor();
  expect(await page.getByText('Create one').count()).toBe(0);
});
