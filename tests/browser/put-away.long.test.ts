import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeInBothSchemes } from '../support/axe.ts';
import type { Visitor } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { chooseFor, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('a received capsule', () => {
  const world = sharedWorld({ clock: '2029-12-31T12:00:00Z' });
  let visitor: Visitor;
  let page: Page;
  let grace: SignedIn;

  const tab = (count: number) => page.getByRole('tab', { name: `Shared With Me (${count})` });
  const card = (title: string) => page.getByRole('article').filter({ hasText: title });

  beforeAll(async () => {
    const { url } = world.server;
    const ada = await signUp(url, 'Ada Lovelace');
    grace = await signUp(url, 'Grace Hopper');
    await seal(ada, grace, { title: 'An advert' });
    await seal(ada, grace, { title: 'The lake', dateToUnlock: '2047-12-31' });
    visitor = await world.open();
    ({ page } = visitor);
    await page.clock.setFixedTime('2029-12-31T12:00:00Z');
    await signIn(page, { email: grace.user.email, password: grace.password });
    await page.getByRole('tab', { name: /^Shared With Me/ }).click();
    await tab(2).waitFor();
  });

  it('is a person, a ring and the time in words, and all of the card opens it', async () => {
    const lake = card('The lake');
    await lake.getByText('From Ada Lovelace').waitFor();
    await lake.getByText('In 18 years').waitFor();
    await lake.getByText('31 December 2047').waitFor();
    expect(await lake.innerText()).not.toContain('@');
    expect(await lake.innerText()).not.toContain('0 files');
    await lake.getByText('Open when it is time').click({ force: true });
    const dialog = page.getByRole('dialog', { name: 'The lake' });
    await dialog.getByText('in 18 years, at the start of the day').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('is put away from its card, and comes back by Undo', async () => {
    await chooseFor(page, 'An advert', 'Move out of sight');
    await tab(1).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    // The message has gone, and the focus is back where it was.
    await page.getByRole('region', { name: 'Page 1 of 1' }).and(page.locator(':focus')).waitFor();
    await tab(2).waitFor();
    await card('An advert').waitFor();
  });

  it('is put away from its details, seen among those put away, and brought back', async () => {
    await page.getByRole('button', { name: 'View details of An advert' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move out of sight' }).click();
    await tab(1).waitFor();
    await page.getByRole('button', { name: 'Out of sight (1)' }).click();
    await card('An advert').waitFor();
    expect(await card('The lake').count()).toBe(0);
    // The message may lie over half of a button.
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    expect(await axeInBothSchemes(page)).toEqual([]);
    await chooseFor(page, 'An advert', 'Bring back');
    await page.getByText('Nothing is out of sight.').waitFor();
    await page.getByRole('button', { name: 'Back to all' }).click();
    await tab(2).waitFor();
  });

  it('stays without a connection, which is said plainly', async () => {
    await visitor.context.setOffline(true);
    await chooseFor(page, 'An advert', 'Move out of sight');
    await page.getByText('You need a connection to move “An advert” out of sight.').waitFor();
    await visitor.context.setOffline(false);
    await card('An advert').waitFor();
  });

  it('is found by what it is: sealed, ready or opened, over all pages', async () => {
    const show = page.getByRole('combobox', { name: 'Show' });
    await show.focus();
    await show.selectOption('All, by opening day');
    await expect
      .poll(() => page.getByRole('heading', { level: 3 }).allInnerTexts())
      .toEqual(['An advert', 'The lake']);
    await show.selectOption('Opened');
    await page.getByText('Nothing here has been opened yet.').last().waitFor();
    await page.waitForURL(/view=opened/);
    // The arrow keys of who chooses by them go on there.
    await show.and(page.locator(':focus')).waitFor();
    // The tab counts all of them.
    await tab(2).waitFor();
    await show.selectOption('All, newest first');
    await card('The lake').waitFor();
    await visitor.context.setOffline(true);
    await show.selectOption('Ready to open');
    await page.getByText('Not saved on this device.').last().waitFor();
    await show.selectOption('All, newest first');
    await card('The lake').waitFor();
    await visitor.context.setOffline(false);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByRole('button', { name: 'Clear search' }).last().click();
    await card('The lake').waitFor();
  });
});
