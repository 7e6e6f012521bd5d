import { openBrowser, signInPage, slowDown } from './support/browser.mjs';
import { limitRow } from './support/measure.mjs';

const WORDS = 'Dear you, when you read this the apple tree will be taller than the house. ';

/** Types a letter in Create with the page's processor slowed four times. @returns one row */
export async function longTasks({ rounds, server, person, directory }) {
  const { page, close } = await openBrowser(directory, server.url);
  const counts = [];
  try {
    await signInPage(page, person);
    await page.goto('/create');
    await page.getByLabel('Capsule Title').fill('A letter');
    await slowDown(page, 4);
    for (let round = 0; round <= rounds; round += 1) {
      await page.evaluate(() => {
        globalThis.longTasks = [];
        globalThis.watch ??= new PerformanceObserver((list) => {
          globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration));
        });
        globalThis.watch.observe({ type: 'longtask' });
      });
      await page.getByLabel('Capsule Title').pressSequentially(WORDS, { delay: 60 });
      await page.getByLabel('Description').pressSequentially(WORDS, { delay: 60 });
      await page.getByRole('tab', { name: 'Message' }).click();
      await page
        .getByLabel(/message/i)
        .first()
        .pressSequentially(WORDS, { delay: 60 });
      const tasks = await page.evaluate(() => {
        for (const entry of globalThis.watch.takeRecords())
          globalThis.longTasks.push(entry.duration);
        return globalThis.longTasks;
      });
      if (round > 0) counts.push(tasks.length);
    }
  } finally {
    await close();
  }
  return limitRow('Long tasks while typing in Create, CPU slowed 4×', '', counts, 0);
}
