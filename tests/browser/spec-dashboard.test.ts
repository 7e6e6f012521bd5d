import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { PROXY_ERROR, whileBroken, whileHeld } from '../support/break-calls.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { rare } from '../support/rare.ts';
import { answer, chooseFor, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const CREATED = 45;
const DELETE_QUESTION =
  'Are you sure you want to delete this capsule? This action cannot be undone.';

const FOCUSED = `(() => {
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  const sentence = document.activeElement.querySelector('p')?.textContent;
  return sentence + (top >= 0 && bottom <= innerHeight ? ' in sight' : ' out of sight');
})()`;

describe('the dashboard', () => {
  const world = sharedWorld();
  let page: Page;
  let ada: SignedIn;
  let grace: SignedIn;
  const asked: string[] = [];

  const panel = () => page.getByRole('tabpanel').filter({ visible: true });
  const titles = () => panel().getByRole('heading', { level: 3 }).allInnerTexts();
  const pages = () =>
    panel()
      .getByRole('navigation')
      .getByRole('listitem')
      .allInnerTexts()
      .then((texts) => texts.filter((text) => text !== ''));

  beforeAll(async () => {
    const { url } = world.server;
    [ada, grace] = await Promise.all([signUp(url, 'Ada Lovelace'), signUp(url, 'Grace Hopper')]);
    const today = dayAt(world.server.clock.now(), 'UTC');
    for (let n = 1; n <= CREATED; n += 1) {
      const dateToUnlock = addDays(today, 400 + n);
      await seal(ada, grace, { title: `Capsule ${n}`, dateToUnlock });
    }
    await seal(grace, ada, { title: 'From Grace', dateToUnlock: addDays(today, 500) });
    ({ page } = await world.open());
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/(api|user|community)\//.test(pathname)) asked.push(pathname + search);
    });
  });

  it('shows Loading capsules... until a list is there [2.dashboard.12]', async () => {
    await whileHeld(page, '/api/capsules/created', async () => {
      await signIn(page, { email: ada.user.email, password: ada.password });
      await page.getByText('Loading capsules...').waitFor();
    });
    await panel().getByRole('article').first().waitFor();
    await page.getByText('Loading capsules...').waitFor({ state: 'detached' });
  });

  it('asks for six capsules a page, and for the summary of this year [7.calls.5 7.calls.6 7.calls.11 9.limits.2]', async () => {
    await expect.poll(() => asked).toContain('/api/capsules/created?page=1&limit=6');
    await expect.poll(() => asked).toContain('/api/capsules/received?page=1&limit=6');
    const year = new Date().getFullYear();
    const years = () =>
      asked.flatMap((call) => /dashboard-summary.*[?&]year=(\d+)/.exec(call)?.[1] ?? []);
    await expect.poll(() => [...new Set(years())]).toEqual([String(year)]);
  });

  it('has its heading, a search box and both buttons [2.dashboard.2 2.dashboard.4 2.dashboard.5]', async () => {
    await page.getByRole('heading', { level: 1, name: 'Time Capsule Dashboard' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search capsules' }).waitFor();
    const main = page.getByRole('main');
    await main.getByRole('button', { name: 'Discover Users' }).waitFor();
    await main.getByRole('link', { name: 'Create New Capsule' }).click();
    await page.waitForURL('/create');
    await page.goBack();
    await panel().getByRole('article').first().waitFor();
  });

  it('has a profile menu that opens, closes, and closes on a click outside [2.dashboard.3 4.other.9]', async () => {
    const menu = page.getByRole('menu', { name: 'Profile menu' });
    const button = page.getByRole('button', { name: 'Profile menu' });
    await button.click();
    await menu.waitFor();
    await button.click();
    await menu.waitFor({ state: 'detached' });
    await button.click();
    await menu.waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await menu.waitFor({ state: 'detached' });
  });

  it('has two tabs with the total counts, My Capsules first [2.dashboard.10 2.dashboard.11 3.entities.27 4.other.11 9.limits.17]', async () => {
    await expect
      .poll(() => page.getByRole('tab').allInnerTexts())
      .toEqual([`My Capsules (${CREATED})`, 'Shared With Me (1)']);
    const values = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('[role=tab]'), (tab) => tab.dataset.value)`,
    );
    expect(values).toEqual(['my-capsules', 'received']);
    expect(await page.getByRole('tab', { selected: true }).innerText()).toContain('My Capsules');
  });

  it('shows a card grid, newest first, each with its details [2.routes.5 2.dashboard.13 4.lock.4 4.lock.9]', async () => {
    await expect.poll(titles).toEqual([45, 44, 43, 42, 41, 40].map((n) => `Capsule ${n}`));
    const details = panel().getByRole('button', { name: /^View details of/ });
    await expect.poll(() => details.count()).toBe(6);
    // The one from Grace is drawn once its tab is chosen.
    await expect.poll(() => page.locator('article').count()).toBe(6);
    const card = panel().getByRole('article').filter({ hasText: 'Capsule 45' });
    await card.getByText('445 days remaining').waitFor();
    await card.getByRole('meter', { name: 'Time passed' }).waitFor();
  });

  it('pages through them: first, last, neighbours and ellipses [2.dashboard.14 2.dashboard.17 9.limits.6]', async () => {
    await panel().getByText('Showing 1 to 6 of 45 capsules', { exact: true }).waitFor();
    await expect.poll(pages).toEqual(['1', '2', '…', '8']);
    await panel().getByRole('button', { name: 'Page 8', exact: true }).click();
    await panel().getByText('Showing 43 to 45 of 45 capsules', { exact: true }).waitFor();
    await expect.poll(pages).toEqual(['1', '…', '7', '8']);
    await expect.poll(titles).toEqual(['Capsule 3', 'Capsule 2', 'Capsule 1']);
    await panel().getByRole('button', { name: 'Previous page' }).click();
    await panel().getByText('Showing 37 to 42 of 45 capsules', { exact: true }).waitFor();
    await panel().getByRole('button', { name: 'Previous page' }).click();
    await panel().getByText('Showing 31 to 36 of 45 capsules', { exact: true }).waitFor();
    await expect.poll(pages).toEqual(['1', '…', '5', '6', '7', '8']);
    await panel().getByRole('button', { name: 'Page 5', exact: true }).click();
    await panel().getByText('Showing 25 to 30 of 45 capsules', { exact: true }).waitFor();
    await expect.poll(pages).toEqual(['1', '…', '4', '5', '6', '…', '8']);
  });

  it('says where one looks that a page is not kept on this device', async () => {
    const context = page.context();
    await context.setOffline(true);
    await panel().getByRole('button', { name: 'Page 4', exact: true }).click();
    await panel().getByText('Not saved on this device.', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Not saved on this device. in sight');
    // How many there are is unknown, and not none.
    await page.getByRole('tab', { name: 'My Capsules (–)', exact: true }).waitFor();
    await context.setOffline(false);
    await panel().getByText('Showing 19 to 24 of 45 capsules', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Page 4 of 8');
  });

  it('offers to delete what one created, never what one received [2.dashboard.18 6.roles.7]', async () => {
    const deletes = panel().getByRole('button', { name: /^Delete / });
    await expect.poll(() => deletes.count()).toBe(6);
    expect(
      await panel()
        .getByRole('button', { name: /^More about/ })
        .count(),
    ).toBe(0);
    await page.getByRole('tab', { name: 'Shared With Me (1)' }).click();
    await panel().getByRole('article').filter({ hasText: 'From Grace' }).waitFor();
    await panel()
      .getByRole('button', { name: /^More about/ })
      .click();
    const items = ['Move out of sight', 'Block Grace', 'Report'];
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(items);
    await page.keyboard.press('Escape');
    await panel().getByText('Showing 1 to 1 of 1 capsules', { exact: true }).waitFor();
  });

  it('keeps the tab over a visit elsewhere and a reload [3.entities.26 4.other.12]', async () => {
    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: 'Your profile' }).click();
    await page.waitForURL('/profile');
    await page.goBack();
    await panel().getByRole('heading', { name: 'From Grace' }).waitFor();
    await page.reload();
    await panel().getByRole('heading', { name: 'From Grace' }).waitFor();
    await page.getByRole('tab', { name: /My Capsules/ }).click();
  });

  it('a tab chosen while a search is on its way stays chosen', async () => {
    const tab = page.getByRole('tab', { name: /Shared With Me/ });
    await page.getByRole('searchbox', { name: 'Search capsules' }).fill('Grace');
    await tab.click();
    await page.waitForURL('/dashboard?tab=received&q=Grace');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('tab', { name: /My Capsules/ }).click();
    await page.waitForURL('/dashboard');
  });

  it('searches all capsules, not only the page [2.dashboard.4]', async () => {
    await page.getByRole('searchbox', { name: 'Search capsules' }).fill('Capsule 1');
    await panel().getByText('Showing 1 to 6 of 11 capsules', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await panel().getByText('Showing 1 to 6 of 45 capsules', { exact: true }).waitFor();
  });

  it('deletes after a question: the card goes, the page is loaded again, and it says so [4.lists.3 4.lists.4 4.lists.5 8.errors.12]', async () => {
    const card = panel().getByRole('article').filter({ hasText: 'Capsule 45' });
    await chooseFor(page, 'Capsule 45', 'Delete');
    await answer(page, DELETE_QUESTION, 'Cancel');
    await card.waitFor();

    asked.length = 0;
    await chooseFor(page, 'Capsule 45', 'Delete');
    await answer(page, DELETE_QUESTION, 'OK');
    await page.getByText('Capsule deleted successfully!').waitFor();
    await card.waitFor({ state: 'detached' });
    await expect.poll(() => asked.slice(1)).toContain('/api/capsules/created?page=1&limit=6');
    await page.getByRole('tab', { name: `My Capsules (${CREATED - 1})` }).waitFor();
    await expect.poll(titles).toEqual([44, 43, 42, 41, 40, 39].map((n) => `Capsule ${n}`));
  });

  it('says when a capsule could not be deleted, and keeps it [8.errors.11]', async () => {
    const card = panel().getByRole('article').filter({ hasText: 'Capsule 44' });
    const id = (await grace.get('/api/capsules/received?page=1&limit=6')).json as {
      capsules: { id: string }[];
    };
    await whileBroken(page, `/api/capsules/${id.capsules[0]?.id}`, 'cut', async () => {
      await chooseFor(page, 'Capsule 44', 'Delete');
      await answer(page, DELETE_QUESTION, 'OK');
      await page.getByText('Failed to delete capsule. Please try again.').waitFor();
    });
    await card.waitFor();
  });

  it('what another device has deleted before is deleted here as well; no failure is left', async () => {
    const card = panel().getByRole('article').filter({ hasText: 'Capsule 44' });
    const { json } = await ada.get('/api/capsules/created?page=1&limit=6');
    const { capsules } = json as { capsules: { id: string }[] };
    await ada.delete(`/api/capsules/${capsules[0]?.id}`);
    await chooseFor(page, 'Capsule 44', 'Delete');
    await answer(page, DELETE_QUESTION, 'OK');
    await page.getByText('Capsule deleted successfully!').waitFor();
    await page.getByText('Failed to delete capsule.').waitFor({ state: 'detached' });
    await card.waitFor({ state: 'detached' });
  });

  it.each([
    [
      'the sentence of the server',
      { status: 500, body: { message: 'Flooded', code: 'INTERNAL' } },
      'Flooded',
    ],
    ['the status of an answer without one', PROXY_ERROR, 'Request failed with status code 502'],
  ])(
    'a list that fails is a banner with %s, which can be dismissed [2.dashboard.6 3.entities.28 8.errors.8]',
    async (_, breakage, message) => {
      await whileBroken(page, '/api/capsules/created', breakage, async () => {
        await page.reload();
        const banner = page.getByRole('main').getByRole('alert').filter({ hasText: 'Error:' });
        await banner.getByText(`Error: ${message}`, { exact: true }).waitFor();
        await banner.getByRole('button', { name: 'Dismiss' }).click();
        await banner.waitFor({ state: 'detached' });
      });
    },
  );

  it('says when the summary fails [8.errors.9]', async () => {
    await whileBroken(page, '/api/capsules/dashboard-summary', PROXY_ERROR, async () => {
      await page.reload();
      await page.getByText('Failed to load dashboard summary.', { exact: true }).waitFor();
    });
  });

  it('says why the own profile did not load, and what to try [8.errors.7]', async () => {
    const body = { message: 'No such luck', code: 'INTERNAL' };
    await whileBroken(page, '/user/me', { status: 500, body }, async () => {
      await page.reload();
      await page
        .getByText(
          'No such luck Please try to perform logout and login. Also make sure third party cookie is allowed.',
        )
        .waitFor();
    });
  });

  it('is empty for a newcomer, with something to do on each tab [2.dashboard.15 2.dashboard.16]', async () => {
    const { user, password } = await signUp(world.server.url, 'New Nora');
    const nora = await world.open();
    await signIn(nora.page, { email: user.email, password });
    const shown = nora.page.getByRole('tabpanel').filter({ visible: true });
    await shown.getByText("You haven't created a capsule yet.").waitFor();
    await shown.getByRole('link', { name: 'Create Your First Capsule' }).waitFor();
    await nora.page.getByRole('tab', { name: 'Shared With Me (0)' }).click();
    await shown.getByText('Nobody has shared a capsule with you yet.').waitFor();
    await shown.getByRole('link', { name: 'Create a Capsule' }).click();
    await nora.page.waitForURL('/create');
    await nora.close();
  });

  rare('says in its own place that a list takes long', async () => {
    const { page: other } = await world.open({ storageState: await page.context().storageState() });
    const shown = other.getByRole('tabpanel').filter({ visible: true });
    await whileHeld(other, '/api/capsules/created', async () => {
      await other.goto('/dashboard');
      await shown.getByText('Loading capsules...').waitFor();
    });
    await shown.getByRole('article').first().waitFor();
    await shown.getByText('Loading capsules...').waitFor({ state: 'detached' });
  });

  rare('offers a newcomer the first capsule, whatever cannot be loaded', async () => {
    const { user, password } = await signUp(world.server.url, 'New Nils');
    const nils = await world.open();
    const first = nils.page.getByRole('link', { name: 'Create Your First Capsule' });
    await signIn(nils.page, { email: user.email, password });
    await first.waitFor();
    await whileBroken(nils.page, '/api/capsules/dashboard-summary', PROXY_ERROR, async () => {
      await nils.page.reload();
      await nils.page.getByText('Failed to load dashboard summary.', { exact: true }).waitFor();
      await first.waitFor();
    });
    // It may not be empty any more.
    await whileBroken(nils.page, '/api/capsules/created', 'cut', async () => {
      await nils.page.reload();
      await nils.page.getByText(/^No connection · /).waitFor();
      await first.waitFor();
    });
  });
});
