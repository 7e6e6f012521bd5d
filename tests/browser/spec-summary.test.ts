import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DashboardSummary } from '../../shared/api/capsules.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { breakCalls, holdCalls, whileBroken, whileHeld } from '../support/break-calls.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { photo } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

/** Days until each capsule opens, and what its card then says. */
const WAITS = [
  [1, 'red', 'Tomorrow!'],
  [7, 'orange', '7 days'],
  [8, 'yellow', '8 days'],
  [30, 'yellow', '30 days'],
  [31, 'indigo', '2 months'],
] as const;

describe('the dashboard summary', () => {
  const world = sharedWorld();
  let page: Page;
  let ada: SignedIn;
  let grace: SignedIn;

  const tile = (label: string) =>
    page
      .getByRole('region', { name: 'Summary' })
      .locator('dl > div')
      .filter({ has: page.getByText(label, { exact: true }) })
      .locator('dd');
  const cards = () => page.locator('[data-colour]');

  beforeAll(async () => {
    const { url } = world.server;
    [ada, grace] = await Promise.all([signUp(url, 'Ada Lovelace'), signUp(url, 'Grace Hopper')]);
    const today = dayAt(world.server.clock.now(), 'UTC');
    for (const [days] of WAITS) {
      const change = { title: `In ${days}`, dateToUnlock: addDays(today, days) };
      await seal(days === 7 ? grace : ada, days === 7 ? ada : grace, change);
    }
    const late = { title: 'In 900', dateToUnlock: addDays(today, 900) };
    await seal(ada, grace, late, [await photo()]);
    ({ page } = await world.open());
    await signIn(page, { email: ada.user.email, password: ada.password });
    await cards().first().waitFor();
    // Around a few capsules the figures are folded.
    await page.getByText('6 capsules, 6 still locked').click();
  });

  it('counts total, created, received and locked capsules [2.dashboard.7]', async () => {
    await expect.poll(() => tile('Total capsules').innerText()).toBe('6');
    await expect.poll(() => tile('Created').innerText()).toBe('5');
    await expect.poll(() => tile('Received').innerText()).toBe('1');
    await expect.poll(() => tile('Still locked').innerText()).toBe('6');
    await expect.poll(() => tile('Opening within 7 days').innerText()).toBe('2');
    await expect.poll(() => tile('Opening within 30 days').innerText()).toBe('4');
  });

  it('shows the next five with title, type, sender and remaining time [2.dashboard.30 4.lock.6 4.lock.7 4.lock.8]', async () => {
    const texts = async () => (await cards().allInnerTexts()).map((text) => text.split(/\s*\n\s*/));
    const waits = async () => (await texts()).map(([wait, , title]) => [title, wait]);
    await expect.poll(waits).toEqual(WAITS.map(([days, , text]) => [`In ${days}`, text]));
    const from = (await texts()).map((parts) => parts[3]);
    expect(from.slice(0, 2)).toEqual(['Created by you', 'Received · From Grace Hopper']);
  });

  it('colours them by the days that remain, and no two colours look alike [4.lock.10 9.limits.15]', async () => {
    const names = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('[data-colour]'), (card) => card.dataset.colour)`,
    );
    expect(names).toEqual(WAITS.map(([, colour]) => colour));
    const shown = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('[data-colour]'), (card) => getComputedStyle(card).borderInlineStartColor)`,
    );
    expect(new Set(shown).size).toBe(4);
    expect(shown[2]).toBe(shown[3]);
  });

  rare('counts the days by today, not by the day on which the server was heard', async () => {
    const later = await world.open({ storageState: await page.context().storageState() });
    const texts = () => later.page.locator('[data-colour]').locator('span > span:first-child');
    await later.page.goto('/dashboard');
    await later.page.locator('[data-colour]').first().waitFor();
    await later.page.clock.setFixedTime(Date.now() + 86_400_000);
    await later.page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await later.page.reload();
    await expect
      .poll(() => texts().allInnerTexts())
      .toEqual(['Opening today', '6 days', '7 days', '29 days', '30 days']);
    await later.close();
  });

  it('shows the storage with one decimal and the limit of the server [9.limits.13]', async () => {
    await page
      .getByText(/^0\.\d MB of 1024\.0 MB$/)
      .first()
      .waitFor();
  });

  it('steps the year by one in both directions, from the current one [2.dashboard.8 2.dashboard.9 9.limits.16]', async () => {
    const year = new Date().getFullYear();
    const shown = page.getByRole('main').locator('output');
    const asked = (of: number) =>
      page.waitForRequest((request) => {
        const { pathname, searchParams } = new URL(request.url());
        return pathname.endsWith('/dashboard-summary') && searchParams.get('year') === String(of);
      });
    await expect.poll(() => shown.innerText()).toBe(String(year));
    const created = async () => {
      await page.getByText('Show as a table').click();
      const cells = page.getByRole('table').locator('tbody td:nth-of-type(1)');
      await cells.last().waitFor();
      const counts = (await cells.allInnerTexts()).map(Number);
      await page.getByText('Show as a table').click();
      return counts;
    };
    const counts = await created();
    expect(counts).toHaveLength(12);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);

    await Promise.all([
      asked(year - 1),
      page.getByRole('button', { name: 'Previous year' }).click(),
    ]);
    await expect.poll(() => shown.innerText()).toBe(String(year - 1));
    await Promise.all([asked(year), page.getByRole('button', { name: 'Next year' }).click()]);
    await Promise.all([asked(year + 1), page.getByRole('button', { name: 'Next year' }).click()]);
    await expect.poll(() => shown.innerText()).toBe(String(year + 1));
  });

  describe('Discover Users', () => {
    const dialog = () => page.getByRole('dialog', { name: 'Discover Users' });
    const box = () => dialog().getByRole('searchbox');
    const hint = 'Type at least 2 characters to search users';
    const open = () =>
      page.getByRole('main').getByRole('button', { name: 'Discover Users' }).click();
    let searches: string[] = [];

    beforeAll(() => {
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/community/search-profile')
          searches.push(searchParams.get('query') ?? '');
      });
    });

    it('hints until two characters are typed, not counting blanks [5.search.1 5.search.3 9.limits.3]', async () => {
      await open();
      await dialog().getByText(hint, { exact: true }).waitFor();
      await box().fill(' g ');
      await dialog().getByText(hint, { exact: true }).waitFor();
      await box().fill(' gr ');
      await dialog().getByText('Grace Hopper').waitFor();
      expect(searches).toEqual(['gr']);
    });

    it('shows avatar, name and address in a list that scrolls [2.dashboard.34 9.limits.24]', async () => {
      await dialog().getByText(grace.user.email).waitFor();
      const style = await page.evaluate<[string, string]>(
        `(({ overflowY, maxBlockSize }) => [overflowY, maxBlockSize])(getComputedStyle(document.querySelector('dialog ul')))`,
      );
      expect(style[0]).toBe('auto');
      expect(style[1]).toMatch(/px$/);
    });

    it('says so when nobody matches [8.errors.14]', async () => {
      await box().fill('nobody at all');
      await dialog().getByText('No users found matching the query.', { exact: true }).waitFor();
    });

    it('closes on Escape and on the backdrop, and opens reset [2.dashboard.31 2.dashboard.32 2.dashboard.33 4.other.10]', async () => {
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await open();
      expect(await box().inputValue()).toBe('');
      await dialog().getByText(hint, { exact: true }).waitFor();
      await page.mouse.click(5, 5);
      await dialog().waitFor({ state: 'detached' });
    });

    it('shows nobody and says nothing when the search fails; Enter asks again [8.errors.13]', async () => {
      await open();
      await whileBroken(page, '/community/search-profile', 'cut', async () => {
        await Promise.all([page.waitForEvent('requestfailed'), box().fill('grace')]);
        await dialog().getByText('Searching...').waitFor({ state: 'detached' });
      });
      expect(await dialog().getByRole('listitem').count()).toBe(0);
      expect(await dialog().getByRole('status').innerText()).toBe('');
      expect(await dialog().getByRole('alert').count()).toBe(0);
      await box().press('Enter');
      await dialog().getByText('1 user found').waitFor();
    });

    it('searches half a second after the last key [5.search.2 9.limits.4]', async () => {
      searches = [];
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await box().fill('hopp');
      await page.clock.runFor(499);
      await box().fill('hopper');
      await page.clock.runFor(499);
      expect(searches).toEqual([]);
      await page.clock.runFor(1);
      await dialog().getByText('Grace Hopper').waitFor();
      expect(searches).toEqual(['hopper']);
      await page.clock.resume();
    });

    it('leads to the profile that is clicked [2.dashboard.35 6.roles.5]', async () => {
      await dialog()
        .getByRole('button', { name: /Grace Hopper/ })
        .click();
      await page.waitForURL(`/profile/${grace.user.id}`);
    });
  });

  /** @param keepAway the lists of the dashboard never come */
  async function showDetailsWithoutLists(keepAway: (page: Page, path: string) => Promise<void>) {
    const { json } = await ada.get('/api/capsules/dashboard-summary');
    const { nextUnlocks } = json as DashboardSummary;
    const fresh = await world.open({ storageState: await page.context().storageState() });
    const dialog = fresh.page.getByRole('dialog');
    const facts = () => dialog.locator('dl > div').allInnerTexts();
    const long = (day: string) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
        new Date(day),
      );
    // What neither list has brought; its place among the next unlocks is all that is known.
    for (const list of ['created', 'received']) await keepAway(fresh.page, `/api/capsules/${list}`);
    await fresh.page.goto('/dashboard');
    for (const { id, type, title, unlockDate } of nextUnlocks.slice(0, 2)) {
      await whileHeld(fresh.page, `/api/capsules/${id}`, async () => {
        await fresh.page.locator('[data-colour]').filter({ hasText: title }).click();
        await fresh.page.getByRole('dialog', { name: title }).waitFor();
        await dialog.getByText('Loading...', { exact: true }).waitFor();
        await dialog.getByText('0 files', { exact: true }).waitFor();
        await expect
          .poll(facts)
          .toEqual(
            type === 'created'
              ? ['From\nAda Lovelace', 'To\nUnknown', `Opens\n${long(unlockDate)}`]
              : ['From\nGrace Hopper', `Opens\n${long(unlockDate)}`],
          );
      });
      await dialog.getByText('This capsule is still locked.').waitFor();
      await fresh.page.keyboard.press('Escape');
    }
    expect(nextUnlocks.slice(0, 2).map(({ type }) => type)).toEqual(['created', 'received']);
    await fresh.close();
  }

  it('details show Loading..., no files and what led there until they are there [2.dashboard.20 3.entities.7]', () =>
    showDetailsWithoutLists((page, path) => breakCalls(page, path, 'cut')));

  rare('so do those of what a list is still to bring', () => showDetailsWithoutLists(holdCalls));
});
