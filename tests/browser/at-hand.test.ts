import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { launchBrowser, openVisitor, type Visitor } from '../support/browser.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** One more than a page holds. */
const CAPSULES = 7;
/** By then what may be wanted next has been read. */
const SETTLED_MS = 1_500;

describe('what this device keeps', () => {
  let server: TestServer;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  let ada: SignedIn;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer({ client: true }), launchBrowser()]);
    ada = await signUp(server.url, 'Ada Lovelace');
    for (let number = 1; number <= CAPSULES; number += 1) {
      answerOf(createCapsule, await ada.createCapsule(capsuleOf(ada, number)));
    }
    visitor = await openVisitor(browser, server.url);
    page = visitor.page;
    await signIn(page, { email: ada.user.email, password: ada.password });
    await card('Letter 7').waitFor();
    await page.getByRole('button', { name: 'Next page' }).first().click();
    await card('Letter 1').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await visitor.context.setOffline(true);
    await visitor.context.addInitScript({ content: NOTE_WAITING });
    await page.goto('/dashboard');
    await card('Letter 7').waitFor();
  });
  afterAll(async () => {
    await visitor.close();
    await browser.close();
    await server.close();
  });

  it('is in the first picture of a start without a network', async () => {
    expect(await page.evaluate('saidOfWaiting')).toEqual([]);
    await page.getByText('No connection').first().waitFor();
  });

  it('is there in the moment in which a page is turned', async () => {
    await page.waitForTimeout(SETTLED_MS);
    expect(await titlesAfterClick('Next page')).toEqual(['Letter 1']);
    await page.waitForURL(/page=2/);
    expect(await titlesAfterClick('Previous page')).toHaveLength(6);
    expect(await page.evaluate('saidOfWaiting')).toEqual([]);
  });

  it('is there in the moment in which a card is opened', async () => {
    await page.waitForTimeout(SETTLED_MS);
    const dialog = await page.evaluate(`(async () => {
      const button = document.querySelector('[aria-label="View details of Letter 5"]');
      button.focus();
      button.click();
      await new Promise((resolve) => queueMicrotask(resolve));
      return document.querySelector('dialog[open]')?.textContent ?? '';
    })()`);
    expect(dialog).toContain('Letter 5');
    expect(dialog).toContain('This capsule is still locked.');
    expect(await page.evaluate('document.activeElement.localName')).toBe('dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const focused = await page.evaluate('document.activeElement.ariaLabel');
    expect(focused).toBe('View details of Letter 5');
  });

  it('is found while one still types', async () => {
    await page.getByRole('searchbox', { name: 'Search capsules' }).fill('letter 3');
    await page.waitForURL(/q=letter/);
    await page.getByText('Showing 1 to 1 of 1 capsules').first().waitFor();
    await card('Letter 3').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await card('Letter 7').waitFor();
    expect(await page.evaluate('saidOfWaiting')).toEqual([]);
  });

  it('keeps the focus with its capsule, and never lends it to another', async () => {
    await card('Letter 7').waitFor();
    await page.getByRole('button', { name: 'Next page' }).first().click();
    await card('Letter 1').waitFor();
    await details('Letter 1').focus();
    await page.goBack();
    await card('Letter 7').waitFor();
    // The card is drawn where that of letter 7 now stands.
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Page 1 of 2');

    await details('Letter 5').focus();
    await visitor.context.setOffline(false);
    answerOf(createCapsule, await ada.createCapsule(capsuleOf(ada, 8)));
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await card('Letter 8').waitFor();
    const focused = await page.evaluate('document.activeElement.ariaLabel');
    expect(focused).toBe('View details of Letter 5');
  });

  function details(title: string) {
    return page.getByRole('button', { name: `View details of ${title}`, exact: true });
  }

  function card(title: string) {
    return page.getByRole('article').filter({ hasText: title }).first();
  }

  /** The cards that stand there before the browser has had time for anything else. */
  function titlesAfterClick(button: string): Promise<unknown> {
    return page.evaluate(`(async () => {
      const panel = document.querySelector('[role=tabpanel]:not([hidden])');
      panel.querySelector('[aria-label="${button}"]').click();
      await new Promise((resolve) => queueMicrotask(resolve));
      return [...panel.querySelectorAll('article h3')].map((title) => title.textContent);
    })()`);
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

/** Runs in the page before its own scripts: whatever it says of waiting, from its start. */
const NOTE_WAITING = `
  globalThis.saidOfWaiting = [];
  new MutationObserver(() => {
    const said = document.body?.textContent.match(/Loading[^.…]*/g) ?? [];
    // The figures above the cards may come after them.
    saidOfWaiting.push(...said.filter((text) => !text.includes('summary')));
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;
