import { describe, expect, it } from 'vitest';
import { backOnline } from '../support/dispatch-sync.ts';
import { photo, sha256 } from '../support/fixtures.ts';
import { sealedBy, untilSealed } from '../support/ledger.ts';
import { atQueue, KEPT, sealingRequests, untilOutboxIsEmpty } from '../support/queue.ts';
import { rare } from '../support/rare.ts';

/** Links of the header in more than one line, or beyond the edge: the outbox is one more than usual. */
const BROKEN_LINKS = `[...document.querySelectorAll('header a')]
  .filter((link) => link.offsetHeight > 48 || link.getBoundingClientRect().right > innerWidth)
  .map((link) => link.textContent)`;

/* The oracle is always the server: exactly one capsule, every byte of its files. */

describe('the queue, where the worker sends as well', () => {
  const at = atQueue({ wholeBrowser: true });
  const { server, arrive, write, create } = at;

  it('a capsule sealed offline leaves with the page closed, once, every byte of it', async () => {
    const page = await arrive();
    const file = await photo();
    const figures = page.getByRole('region', { name: 'Summary' });
    // Offline the page would not know that there is nothing to count.
    const counted = page.waitForResponse((answer) => answer.url().includes('/dashboard-summary'));
    await page.reload();
    await counted;
    await expect.poll(() => figures.count()).toBe(0);
    await at.visitor.context.setOffline(true);
    await write(page, 'From the train', [file]);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await page.waitForURL('/dashboard');
    await page.getByText('“From the train” is waiting to be sent.').waitFor();
    await page.getByText('Your capsule is shown here once it has been sent.').waitFor();
    // The figures count nothing yet.
    await expect.poll(() => figures.count()).toBe(0);
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByRole('heading', { level: 1, name: 'Outbox' }).waitFor();
    await page.getByRole('heading', { name: 'From the train' }).waitFor();
    for (const width of [720, 768, 799, 800, 820, 899, 900]) {
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(() => page.evaluate(BROKEN_LINKS), { message: `${width} px` }).toEqual([]);
    }
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    // What waits here is counted by no list.
    await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();

    await page.close();
    expect(await sealedBy(server.deps, at.ada.user.id)).toEqual([]);
    await backOnline(at.visitor.context, at.proxy.url);
    const sealed = await untilSealed(server.deps, at.ada.user.id);
    expect(sealed).toEqual([{ title: 'From the train', files: [sha256(file.bytes)] }]);

    const next = await at.visitor.context.newPage();
    await next.goto('/dashboard');
    await next.getByRole('tab', { name: 'My Capsules (1)' }).waitFor();
    await untilOutboxIsEmpty(next);
    expect(sealingRequests(at.proxy)).toHaveLength(1);
  });

  rare('two tabs and the worker send it once', async () => {
    const page = await arrive();
    await write(page, 'One of us');
    const other = await at.visitor.context.newPage();
    await other.goto('/dashboard');
    await at.visitor.context.setOffline(true);
    await create(page);
    await other.getByText('“One of us” is waiting to be sent.').waitFor();
    await at.visitor.context.setOffline(false);
    await Promise.all([untilOutboxIsEmpty(page), untilOutboxIsEmpty(other)]);
    expect(await sealedBy(server.deps, at.ada.user.id)).toEqual([
      { title: 'One of us', files: [] },
    ]);
    expect(sealingRequests(at.proxy)).toHaveLength(1);
  });
});
