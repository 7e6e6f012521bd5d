import { beforeAll, describe, expect, it } from 'vitest';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import type { Visitor } from '../support/browser.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { rare } from '../support/rare.ts';
import { answer, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const TITLE = 'Seen before the tunnel';

/** All that has stood on the page from its start on. */
const RECORD = `
  globalThis.shown = '';
  new MutationObserver(() => {
    globalThis.shown += document.body?.innerText ?? '';
  }).observe(document, { childList: true, subtree: true, characterData: true });
`;

describe('without a network', () => {
  const { server, visit } = sharedWorld();
  let ada: SignedIn;

  beforeAll(async () => {
    ada = await signUp(server.url, 'Ada Lovelace');
    const capsule = {
      title: TITLE,
      description: 'On the dashboard',
      dateToUnlock: addDays(dayAt(server.clock.now(), 'UTC'), 2),
      recipientEmails: [ada.user.email],
    };
    answerOf(createCapsule, await ada.createCapsule(capsule));
  });

  async function openDashboard(): Promise<Visitor> {
    const visitor = await visit();
    await signIn(visitor.page, { email: ada.user.email, password: ada.password });
    await visitor.page.getByRole('article').filter({ hasText: TITLE }).waitFor();
    return visitor;
  }

  for (const width of [360, 1280]) {
    rare(`says so however far the page is scrolled, at ${width} px`, async () => {
      const { context, page } = await openDashboard();
      await page.setViewportSize({ width, height: 700 });
      const sign = page.getByRole('banner').locator('.lucide-cloud-off');
      expect(await sign.count()).toBe(0);
      await context.setOffline(true);
      await page.getByText("You're offline").waitFor();
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(100);
      const isInHeader = async () => {
        const { y = -1, height = 0 } = (await sign.boundingBox()) ?? {};
        return y > 0 && y + height < 64;
      };
      await expect.poll(isInHeader).toBe(true);
    });
  }

  rare('starts where an address was searched for that ends as a file does', async () => {
    const { context, page } = await openDashboard();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.getByRole('searchbox', { name: 'Search capsules' }).fill(ada.user.email);
    await page.waitForURL(/\?q=[^&]+\.org$/);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('article').filter({ hasText: TITLE }).first().waitFor();
  });

  rare('says that nothing waits to be sent only once it has looked', async () => {
    const { context, page } = await openDashboard();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await context.setOffline(true);
    await page.evaluate(
      `queueCapsule(${JSON.stringify({ userId: ada.user.id, email: ada.user.email, title: 'Waits', dateToUnlock: '2036-01-01', fileBytes: [], seed: 1 })})`,
    );
    await context.addInitScript(RECORD);
    await page.goto('/outbox');
    await page.getByRole('article', { name: 'Waits' }).waitFor();
    expect(await page.evaluate('shown')).not.toContain('Nothing is waiting');
    await page.getByRole('button', { name: 'Discard Waits' }).click();
    await answer(page, 'Discard “Waits”?', 'Discard');
    await page.getByText('Nothing is waiting.').waitFor();
    expect(await page.evaluate('shown')).toContain('Nothing is waiting');
  });

  rare('searches what this device has seen where no call gets through', async () => {
    const { context, page } = await openDashboard();
    await context.route(/\/api\//, (route) => route.abort('connectionfailed'));
    await page.getByRole('searchbox', { name: 'Search capsules' }).fill('tunnel');
    await page.waitForURL(/q=tunnel/);
    await page.getByRole('article').filter({ hasText: TITLE }).first().waitFor();
    await page.getByText('Showing 1 to 1 of 1 capsules').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search capsules' }).fill('mountain');
    await page.getByText('No capsules on this device match “mountain”.').first().waitFor();
    await page.getByRole('status').getByText('No capsules found on this device').waitFor();
  });

  it('keeps nothing of a person who has signed out', async () => {
    const { page, problems, kept } = await openDashboard();
    await expect.poll(kept).toContain(TITLE);

    await page.getByRole('button', { name: 'Logout' }).first().click();
    await answer(page, 'Are you sure you want to logout?', 'OK');
    await page.waitForURL('/');
    const traces = [TITLE, ada.user.email, ada.user.name, ada.user.id];
    const found = async () => {
      const left = await kept();
      return traces.filter((trace) => left.includes(trace));
    };
    await expect.poll(found).toEqual([]);

    expect(problems).toEqual([]);
  });
});
