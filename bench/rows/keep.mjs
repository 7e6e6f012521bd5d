import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, pickFile, signInPage, watchBrowserMemory } from '../support/browser.mjs';
import { writeFilm } from '../support/film.mjs';
import { inTurn, limitRow, settleDisk, timesRow } from '../support/measure.mjs';

const MEGABYTES = 200;
const FLOOR = fileURLToPath(new URL('../floors/keep.js', import.meta.url));

/**
 * A film of 200 MB from the moment it is picked until the page shows that it is saved, against raw
 * writes to IndexedDB; and what that took in memory. Each round has a new browser process.
 */
export async function keep({ rounds, server, person, floorDirectory }) {
  const film = join(floorDirectory, 'film.mp4');
  await writeFilm(film, MEGABYTES);
  const profile = join(floorDirectory, 'profile');
  const inCreate = async (work) => {
    const browser = await openBrowser(profile, server.url);
    try {
      await browser.page.goto('/create');
      await browser.page.getByRole('tab', { name: 'Content' }).click();
      return await work(browser);
    } finally {
      await browser.close();
      settleDisk();
    }
  };
  const first = await openBrowser(profile, server.url);
  await signInPage(first.page, person);
  await first.close();
  const floor = await readFile(FLOOR, 'utf8');
  const growth = [];
  const seconds = await inTurn(
    rounds,
    () =>
      inCreate(async ({ context, page }) => {
        const watched = await watchBrowserMemory(context, () => pickFile(page, film));
        growth.push(watched.growth.renderer);
        await page.getByRole('button', { name: 'Remove film.mp4' }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
        await page
          .getByRole('heading', { name: '1 File(s) Selected' })
          .waitFor({ state: 'hidden' });
        return watched.result / 1000;
      }),
    () =>
      inCreate(async ({ page }) => {
        await page.evaluate(floor);
        return (
          (await page.evaluate((bytes) => benchRawWrites(bytes), MEGABYTES * 1_048_576)) / 1000
        );
      }),
  );
  return [
    timesRow('Saving a file of 200 MB on the device', 's', seconds, 2),
    limitRow('Memory growth of page and worker for it', 'MB', growth, 80),
  ];
}
