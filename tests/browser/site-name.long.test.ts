import { expect, it } from 'vitest';
import { signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const NAME = 'The Müllers & Co.';
const IMPRINT = 'https://capsules.example/imprint';
const TERMS = 'https://capsules.example/terms';
const contact = { email: 'us@capsules.example', links: [], imprintUrl: IMPRINT, termsUrl: TERMS };
const { server, visit, open } = sharedWorld({ config: { siteName: NAME, contact } });

it('the landing page has the name of the site from its first byte on', async () => {
  const { page, problems } = await open();
  const answer = await page.goto('/');
  expect(await answer?.text()).not.toContain('Time Capsule');
  await page.getByRole('link', { name: `${NAME}, home` }).waitFor();
  expect(await page.title()).toBe(NAME);
  const footer = page.getByRole('contentinfo');
  await footer.getByText(NAME, { exact: true }).waitFor();
  const address = (name: string) => footer.getByRole('link', { name }).getAttribute('href');
  await expect.poll(() => address('Terms of Service')).toBe(TERMS);
  expect(await address('Imprint')).toBe(IMPRINT);
  await page.goto('/privacy');
  const link = page.getByRole('main').getByRole('link', { name: 'imprint' });
  expect(await link.getAttribute('href')).toBe(IMPRINT);
  // React says so where what it draws differs from what was served.
  expect(problems).toEqual([]);
});

it('the sheet of recovery codes says for which site they are', async () => {
  const { page } = await open();
  const ada = await signUp(server.url, 'Ada Codes');
  await signIn(page, { email: ada.user.email, password: ada.password }, '/profile/sign-in');
  await page.getByRole('button', { name: 'Make recovery codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make recovery codes?' });
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password);
  await dialog.getByRole('button', { name: 'Make them' }).click();
  await page.getByText(`on ${NAME} (${new URL(server.url).host})`).waitFor();
});

it('a new name reaches an app whose page is on the device', async () => {
  const { page } = await visit();
  const ada = await signUp(server.url, 'Ada');
  await signIn(page, { email: ada.user.email, password: ada.password });
  await page.evaluate('navigator.serviceWorker.ready');
  server.deps.config.siteName = 'Opa Karl';
  // The first visit hears of it, and the next one shows it.
  await page.reload();
  const known = () => page.evaluate<string>("localStorage.getItem('contact')");
  await expect.poll(known).toContain('Opa Karl');
  await page.reload();
  await page.getByRole('link', { name: 'Opa Karl, home' }).waitFor();
  await expect.poll(() => page.title()).toMatch(/ · Opa Karl$/);
});
