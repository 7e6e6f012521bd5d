import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

/** One more than a page holds. */
const CAPSULES = 7;

describe('what this device keeps', () => {
  const { server, visit } = sharedWorld();
  let page: Page;
  let ada: SignedIn;

  beforeAll(async () => {
    ada = await signUp(server.url, 'Ada Lovelace');
    for (let number = 1; number <= CAPSULES; number += 1) {
      answerOf(createCapsule, await ada.createCapsule(capsuleOf(ada, number)));
    }
    const visitor = await visit();
    page = visitor.page;
    await signIn(page, { email: ada.user.email, password: ada.password });
    await card('Letter 7').waitFor();
    await page.getByRole('button', { name: 'Next page' }).first().click();
    await card('Letter 1').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await visitor.context.setOffline(true);
    await page.goto('/dashboard');
    await card('Letter 7').waitFor();
  });

  it('is there after a start without a network, and says how old it is', async () => {
    await page
      .getByText(/Updated \d/)
      .first()
      .waitFor();
  });

  it('turns a page, and back', async () => {
    await page.getByRole('button', { name: 'Next page' }).first().click();
    await card('Letter 1').waitFor();
    await page.waitForURL(/page=2/);
    await page.getByRole('button', { name: 'Previous page' }).first().click();
    await card('Letter 7').waitFor();
  });

  it('opens a card, and gives the focus back to it', async () => {
    await details('Letter 5').click();
    const dialog = page.getByRole('dialog', { name: 'Letter 5' });
    await dialog.getByText('This capsule is still locked.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await details('Letter 5').and(page.locator(':focus')).waitFor();
  });

  it('is found while one still types', async () => {
    await page.getByRole('searchbox', { name: 'Search capsules' }).fill('letter 3');
    await page.waitForURL(/q=letter/);
    await page.getByText('Showing 1 to 1 of 1 capsules').first().waitFor();
    await card('Letter 3').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await card('Letter 7').waitFor();
  });

  it('keeps the focus with its capsule, and never lends it to another', async () => {
    await card('Letter 7').waitFor();
    await page.getByRole('button', { name: 'Next page' }).first().click();
    await card('Letter 1').waitFor();
    await details('Letter 1').focus();
    await page.goBack();
    await card('Letter 7').waitFor();
    // The focused card went with its page.
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Page 1 of 2');

    await details('Letter 5').focus();
    await page.context().setOffline(false);
    answerOf(createCapsule, await ada.createCapsule(capsuleOf(ada, 8)));
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await card('Letter 8').waitFor();
    await details('Letter 5').and(page.locator(':focus')).waitFor();
  });

  function details(title: string) {
    return page.getByRole('button', { name: `View details of ${title}`, exact: true });
  }

  function card(title: string) {
    return page.getByRole('article').filter({ hasText: title }).first();
  }

  function capsuleOf({ user }: SignedIn, number: number) {
    return {
      title: `Letter ${number}`,
      description: 'On the dashboard',
      dateToUnlock: addDays(dayAt(server.clock.now(), 'UTC'), 2),
      recipientEmails: [user.email],
    };
  }
});
