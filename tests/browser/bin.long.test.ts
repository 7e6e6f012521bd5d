import { expect, it } from 'vitest';
import { allSent } from '../support/addresses.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { seal } from '../support/capsules.ts';
import { signUp } from '../support/client.ts';
import { chooseFor, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const { server, visit, open } = sharedWorld();
const DAY = '2040-01-01';

/** Somebody who has sealed these, signed in on a device of their own. */
async function withCapsules(name: string, titles: string[]) {
  const ada = await signUp(server.url, name);
  for (const title of titles) await seal(ada, ada, { title, dateToUnlock: DAY });
  const { page, context } = await open();
  await signIn(page, { email: ada.user.email, password: ada.password });
  const card = (title: string) => page.getByRole('article').filter({ hasText: title });
  const remove = async (title: string) => {
    await chooseFor(page, title, 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
    await page.getByText('Capsule deleted successfully!').first().waitFor();
    // The message may still be that of the one before.
    await card(title).waitFor({ state: 'detached' });
  };
  return { ada, page, context, card, remove };
}

it('what was deleted is brought back at once, or from the bin, or deleted there for good', async () => {
  const { ada, page, card, remove } = await withCapsules('Ada Lovelace', ['First', 'Second']);
  await remove('First');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('“First” is back.').waitFor();
  await card('First').waitFor();

  await remove('First');
  await card('First').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Bin (1)' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bin' }).waitFor();
  await page.getByText('For yourself').waitFor();
  expect(await axeInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Bring back' }).click();
  await page.getByText('Your bin is empty.').waitFor();
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await page.getByRole('tab', { name: 'My Capsules (2)' }).waitFor();
  await card('First').waitFor();

  await remove('Second');
  await page.goto('/dashboard/bin');
  await page.getByRole('button', { name: 'Delete now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete “Second” for good?' });
  await dialog.getByLabel('Password', { exact: true }).fill('not mine');
  await dialog.getByRole('button', { name: 'Delete now' }).click();
  await dialog.getByText("That isn't your password").waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password);
  await dialog.getByRole('button', { name: 'Delete now' }).click();
  await page.getByText('“Second” is gone for good.').waitFor();
  await page.getByText('Your bin is empty.').waitFor();
});

it('a list that comes late does not show again what was brought back after it', async () => {
  const { page, remove } = await withCapsules('Ada Augusta', ['First', 'Second']);
  await remove('First');
  await remove('Second');
  await page.goto('/dashboard/bin');
  const bringBack = (title: string) =>
    page.getByRole('article', { name: title }).getByRole('button', { name: 'Bring back' }).click();
  const late: (() => Promise<void>)[] = [];
  await page.getByRole('article', { name: 'First' }).waitFor();
  await page.route(
    (url) => url.pathname === '/api/capsules/bin',
    async (route) => {
      const response = await route.fetch();
      late.push(() => route.fulfill({ response }));
    },
    { times: 1 },
  );
  await bringBack('First');
  await expect.poll(() => late.length).toBe(1);
  await bringBack('Second');
  await page.getByText('“Second” is back, just as it was.').waitFor();
  await page.getByText('Your bin is empty.').waitFor();
  await late[0]?.();
  await page.getByText('“First” is back, just as it was.').waitFor();
  expect(await page.getByRole('article').count()).toBe(0);
});

it('the link in the email brings it back after a press, signed in or not', async () => {
  const { ada, page, card, remove } = await withCapsules('Ada Byron', []);
  // Whoever deletes only their own is not emailed.
  const grace = await signUp(server.url, 'Grace');
  await seal(ada, grace, { title: 'Hers', dateToUnlock: DAY });
  await page.reload();
  await remove('Hers');
  await allSent(server);
  const link = await server.mailedLink(ada.user.email, '/auth/restore-capsule');
  const { page: other } = await visit();
  await other.goto(link.href);
  await other.getByRole('heading', { name: 'Bring this capsule back?' }).waitFor();
  await other.waitForURL('/auth/restore-capsule');
  expect((await ada.get('/api/capsules/created')).json).toMatchObject({ capsules: [] });
  await other.getByRole('button', { name: 'Bring it back' }).click();
  await other.getByText('Your capsule is back, just as it was.').waitFor();
  expect(await axeInBothSchemes(other)).toEqual([]);
  await page.reload();
  await card('Hers').waitFor();
  await other.reload();
  await other.getByRole('button', { name: 'Bring it back' }).click();
  await other.getByRole('heading', { name: "This link doesn't work any more" }).waitFor();
  // By way of the sign-in, to the bin.
  await other.getByRole('link', { name: 'See your bin' }).click();
  await other.getByLabel('Email', { exact: true }).fill(ada.user.email);
  await other.getByLabel('Password', { exact: true }).fill(ada.password);
  await other.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await other.waitForURL('/dashboard/bin');
});

it('without a connection, the bin says that it needs one, and comes with it', async () => {
  const { page, context } = await withCapsules('Ada King', []);
  await page.getByRole('link', { name: 'Profile' }).first().waitFor();
  await page.goto('/dashboard/bin');
  await page.getByText('Your bin is empty.').waitFor();
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await page.getByRole('tab').first().waitFor();
  await context.setOffline(true);
  await page.goBack();
  await page.getByText('You need a connection to see your bin.').waitFor();
  await context.setOffline(false);
  await page.getByText('Your bin is empty.').waitFor();
});
