import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { whileBroken } from '../support/break-calls.ts';
import type { Visitor } from '../support/browser.ts';
import { signUp } from '../support/client.ts';
import { rare } from '../support/rare.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const HINT = 'Enter a search term and click search to find registered users';

describe('choosing recipients', () => {
  const world = sharedWorld();
  let visitor: Visitor;
  let page: Page;

  const dialog = () => page.getByRole('dialog', { name: 'Select Recipients' });
  const box = () => dialog().getByRole('searchbox');
  const option = (name: string) => dialog().getByRole('checkbox', { name: new RegExp(name) });
  const row = (name: string) => dialog().locator('label').filter({ hasText: name });
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });
  const open = () => page.getByRole('button', { name: /Recipient/ }).click();

  beforeAll(async () => {
    const { url } = world.server;
    const { user, password } = await signUp(url, 'Ada Lovelace');
    for (let n = 10; n < 22; n += 1) await signUp(url, `Cousin Number ${n}`);
    visitor = await world.open();
    page = visitor.page;
    await signIn(page, { email: user.email, password }, '/create');
    await open();
  });

  it('opens with its subtitle and hint, and nothing to confirm [2.recipients.1 2.recipients.2 2.recipients.9 2.recipients.11]', async () => {
    await dialog().getByText('Choose from registered users to share your time capsule').waitFor();
    await dialog().getByText(HINT, { exact: true }).waitFor();
    expect(await button('Confirm Selection (0)').isEnabled()).toBe(false);
  });

  it('offers oneself before anybody was searched for', async () => {
    await dialog().getByRole('checkbox', { name: 'Ada Lovelace You' }).click();
    await dialog().getByText(HINT, { exact: true }).waitFor();
    await button('Confirm Selection (1)').waitFor();
    await dialog().getByRole('checkbox', { name: 'Ada Lovelace You' }).click();
  });

  it('asks for a term [5.create.6]', async () => {
    await button('Search').click();
    await dialog().getByText('Please enter a search term', { exact: true }).waitFor();
    await box().and(page.locator(':focus')).waitFor();
  });

  it('searches by Enter and by button, and shows avatar, name and address [2.recipients.3 2.recipients.4]', async () => {
    await box().fill('number 10');
    await box().press('Enter');
    await row('Cousin Number 10').getByText('cousin-number-10@example.org').waitFor();
    await row('Cousin Number 10').getByText('C', { exact: true }).waitFor();
    await box().fill('number 11');
    await button('Search').click();
    await option('Cousin Number 11').waitFor();
  });

  it('says so when nobody is found [2.recipients.8]', async () => {
    await box().fill('nobody');
    await box().press('Enter');
    await dialog()
      .getByText(/^No users found matching .nobody.$/)
      .waitFor();
  });

  it('logs a search that fails, and finds nobody [8.errors.25]', async () => {
    visitor.problems.length = 0;
    await whileBroken(page, '/user/search-recipient', { status: 500 }, async () => {
      await box().fill('cousin');
      await box().press('Enter');
      await dialog()
        .getByText(/^No users found matching .cousin.$/)
        .waitFor();
    });
    expect(await dialog().getByRole('checkbox').count()).toBe(0);
    const failed = 'uncaught: Request failed with status code 500';
    await expect.poll(() => visitor.problems).toContain(failed);
  });

  it('says with the empty result that nobody could be asked, and throws nothing', async () => {
    visitor.problems.length = 0;
    await whileBroken(page, '/user/search-recipient', 'cut', async () => {
      await box().fill('tom@example');
      await box().press('Enter');
      const nobody = "No users found matching “tom@example”. We can't search right now.";
      await dialog().getByText(nobody, { exact: true }).waitFor();
      await box().fill('tom@example.com');
      await box().press('Enter');
      const note =
        "No users found matching “tom@example.com”. We can't search right now, but you can still choose this address.";
      await dialog().getByText(note, { exact: true }).waitFor();
      await row('Choose tom@example.com')
        .getByText("If they don't have an account, we'll invite them once there's a connection.")
        .waitFor();
      await box().fill('lovelace');
      await box().press('Enter');
      await dialog().getByText('1 user found on this device', { exact: true }).waitFor();
    });
    expect(visitor.problems.filter((problem) => problem.startsWith('uncaught'))).toEqual([]);
    await box().fill('cousin');
  });

  it('a click selects and another one deselects [2.recipients.5 2.recipients.11]', async () => {
    await box().press('Enter');
    await option('Cousin Number 10').click();
    await button('Confirm Selection (1)').waitFor();
    await dialog().getByRole('heading', { name: 'Selected Recipients (1)' }).waitFor();
    await option('Cousin Number 10').click();
    await button('Confirm Selection (0)').waitFor();
    const heading = dialog().getByRole('heading', { name: /^Selected Recipients/ });
    await heading.waitFor({ state: 'detached' });
  });

  it('chips can be removed, in an area that scrolls [2.recipients.6 2.recipients.7 9.limits.23]', async () => {
    for (let n = 10; n < 22; n += 1) await option(`Cousin Number ${n}`).click();
    await dialog().getByRole('heading', { name: 'Selected Recipients (12)' }).waitFor();
    const [scrolls, overflow] = await page.evaluate<[boolean, string]>(
      `((list) => [list.scrollHeight > list.clientHeight, getComputedStyle(list).overflowY])(document.querySelector('dialog section ul'))`,
    );
    expect(overflow).toBe('auto');
    expect(scrolls).toBe(true);
    await button('Remove Cousin Number 21').click();
    await dialog().getByRole('heading', { name: 'Selected Recipients (11)' }).waitFor();
    await button('Confirm Selection (11)').click();
    await dialog().waitFor({ state: 'detached' });
  });

  rare('rows of a long list are as high as what they say', async () => {
    await open();
    await page.setViewportSize({ width: 360, height: 740 });
    await box().fill('cousin');
    await box().press('Enter');
    await option('Cousin Number 20').waitFor();
    const heights = () =>
      dialog()
        .locator('label', { has: page.getByRole('checkbox') })
        .evaluateAll((rows) => rows.map(Object).map((row) => row.scrollHeight - row.clientHeight));
    await expect.poll(heights).toEqual(Array(12).fill(0));
    await page.setViewportSize({ width: 1280, height: 720 });
    await button('Cancel').click();
    await dialog().waitFor({ state: 'detached' });
  });

  rare('two who are selected are in sight on a phone, above the buttons', async () => {
    const phone = { width: 360, height: 740 };
    const storageState = await visitor.context.storageState();
    const other = await world.open({ storageState, viewport: phone });
    await other.page.goto('/create');
    await other.page.getByRole('button', { name: 'Select Recipients' }).click();
    await other.page.getByRole('searchbox').fill('cousin');
    await other.page.getByRole('searchbox').press('Enter');
    for (const n of [10, 11]) {
      await other.page.getByRole('checkbox', { name: new RegExp(`Cousin Number ${n}`) }).click();
    }
    const edgeOf = async (name: string, edge: 'top' | 'bottom') => {
      const box = await other.page.getByRole('button', { name }).boundingBox();
      return (box?.y ?? Number.NaN) + (edge === 'bottom' ? (box?.height ?? 0) : 0);
    };
    const isAbove = async () =>
      (await edgeOf('Remove Cousin Number 11', 'bottom')) <
      (await edgeOf('Confirm Selection (2)', 'top'));
    await expect.poll(isAbove).toBe(true);
    await other.close();
  });

  it('Cancel restores the previous selection [2.recipients.10]', async () => {
    await open();
    await button('Remove Cousin Number 20').click();
    await button('Confirm Selection (10)').waitFor();
    await button('Cancel').click();
    await dialog().waitFor({ state: 'detached' });
    await open();
    await button('Confirm Selection (11)').waitFor();
  });

  it('offers those chosen before, names their addresses, and Escape in the list leaves', async () => {
    await option('Cousin Number 20').click();
    await button('Confirm Selection (10)').waitFor();
    await option('Cousin Number 20').press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const remove = page.getByRole('button', {
      name: 'Remove Cousin Number 20',
      description: 'cousin-number-20@example.org',
    });
    await remove.waitFor();
    const facts = page.getByRole('complementary');
    await facts.getByText('Cousin Number 20 (cousin-number-20@example.org)').waitFor();
  });
});
