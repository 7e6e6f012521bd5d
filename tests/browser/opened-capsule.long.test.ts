import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { capsuleFiles } from '../../server/db/schema.ts';
import type { Capsule } from '../../shared/api/capsules.ts';
import { FILE_LOST } from '../../shared/sentences.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { downloaded } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { clip, heic, pdf, photo } from '../support/fixtures.ts';
import { atOpened, MESSAGE, NOT_LOADED, READY_STATE } from '../support/opened.ts';

/** What a screen reader is told to do: false where the page took the key for itself. */
const PRESS_SHIFT =
  "dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', cancelable: true }))";

describe('a capsule that has opened, in rarer states', () => {
  const at = atOpened();
  const { server, look, lookInside } = at;
  let letter: Capsule;
  let album: Capsule;
  let broken: Capsule;
  let fromPhone: Capsule;

  beforeAll(async () => {
    const { ada, grace } = at;
    letter = await seal(ada, grace, { title: 'Only words', personalMessage: MESSAGE });
    album = await seal(ada, grace, { title: 'The lake', personalMessage: MESSAGE }, [
      await photo(),
      await photo('The jetty.jpg'),
      await clip(),
      pdf(),
    ]);
    const film = await clip();
    fromPhone = await seal(ada, grace, { title: 'From my phone' }, [
      await heic(),
      { ...film, bytes: film.bytes.subarray(0, 64) },
    ]);
    broken = await seal(ada, grace, { title: 'Broken' }, [
      await photo('Rotten.jpg'),
      await photo('Whole.jpg'),
      await clip(),
      pdf(),
    ]);
    server.clock.set('2030-01-01T12:00:00Z');
  });

  it('opens at once when any key is pressed again', async () => {
    const { page, problems } = await look(album, 'no-preference');
    await page.getByRole('button', { name: 'Press to open' }).click();
    expect(await page.evaluate(PRESS_SHIFT)).toBe(true);
    await page.keyboard.press('x');
    await page.getByRole('dialog', { name: album.title }).getByText('frozen again').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });

  it('is put away without a promise of a day that has passed', async () => {
    const { page, dialog, close } = await lookInside(letter, 'reduce');
    await dialog.getByRole('button', { name: 'Move out of sight' }).click();
    await page.getByText('“Only words” is out of sight.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“Only words” is back.').waitFor();
    await close();
  });

  it('has words for a photograph of a phone and a video that the browser does not know', async () => {
    const { page, dialog, problems } = await lookInside(fromPhone, 'reduce');
    await dialog.getByText(NOT_LOADED).waitFor();
    const thumbnail = dialog.getByRole('button', { name: 'Enlarge IMG_0412.HEIC' });
    await thumbnail.scrollIntoViewIfNeeded();
    await thumbnail.getByText('IMG_0412.HEIC').waitFor();
    expect(await thumbnail.locator('img').count()).toBe(0);
    expect(await axeInBothSchemes(page)).toEqual([]);
    await thumbnail.click();
    const viewer = page.getByRole('dialog', { name: 'IMG_0412.HEIC' });
    await viewer.getByText(NOT_LOADED).waitFor();
    const saved = await downloaded(page, () =>
      viewer.getByRole('button', { name: 'Download IMG_0412.HEIC' }).click(),
    );
    expect(saved).toEqual({ name: 'IMG_0412.HEIC', bytes: (await heic()).bytes });

    expect(problems).toEqual([]);
  });

  it('what could not be loaded is tried again by a press, each by its own', async () => {
    const { page, dialog } = await lookInside(album, 'reduce', {}, (visited) =>
      visited.route('**/api/capsules/download/*', (route) => route.abort()),
    );
    await dialog.getByText('the lake is frozen again').waitFor();
    await dialog.getByText(NOT_LOADED).waitFor();
    await dialog.getByText("We couldn't load all photos.").waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Enlarge The jetty.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'The jetty.jpg' });
    await viewer.getByText(NOT_LOADED).waitFor();
    // Its place is for the words alone, not for the browser's sign of a broken image too.
    expect(await viewer.locator('img').count()).toBe(0);
    await page.unroute('**/api/capsules/download/*');
    await viewer.getByRole('button', { name: 'Try again' }).click();
    const shown = viewer.getByRole('img', { name: 'The jetty.jpg' });
    await shown.waitFor();
    // On a phone it is as large as its window, upright or on its side.
    await page.setViewportSize({ width: 360, height: 640 });
    await expect.poll(async () => (await shown.boundingBox())?.width).toBeGreaterThan(340);
    await page.setViewportSize({ width: 640, height: 360 });
    await expect.poll(async () => (await shown.boundingBox())?.height).toBe(360);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.keyboard.press('Escape');
    const again = dialog.getByRole('button', { name: 'Try again' });
    await again.first().click();
    await expect.poll(() => again.count()).toBe(1);
    await dialog.locator('ul img').nth(1).waitFor();
    await again.click();
    await expect.poll(() => again.count()).toBe(0);
    await expect.poll(() => page.evaluate<number>(READY_STATE)).toBeGreaterThan(0);
  });

  it('says which files are lost for good, and offers only the others', async () => {
    const { db } = server.deps;
    for (const name of ['Rotten.jpg', 'First steps.mp4', 'The letter.pdf']) {
      const isIt = and(eq(capsuleFiles.capsuleId, broken.id), eq(capsuleFiles.name, name));
      await db.update(capsuleFiles).set({ lostAt: new Date() }).where(isIt);
    }
    const { dialog } = await lookInside(broken, 'reduce');
    for (const name of ['Rotten.jpg', 'First steps.mp4', 'The letter.pdf']) {
      await dialog.getByText(`${name} · ${FILE_LOST}`).waitFor();
    }
    await dialog.getByRole('button', { name: 'Enlarge Whole.jpg' }).waitFor();
    expect(await dialog.getByRole('button', { name: /Enlarge|Open/ }).count()).toBe(1);
    await dialog.getByText('All files (1)').waitFor();
  });

  it('what is at once there takes no focus: reading and Tab begin at the top', async () => {
    const { page, dialog, problems } = await lookInside(album, 'reduce');
    await dialog.locator('video').waitFor();
    await page.reload();
    await dialog.locator('video').waitFor();
    expect(await page.evaluate('document.activeElement.matches(":modal")')).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Close');

    expect(problems).toEqual([]);
  });

  it('leads on without a connection, to an answer to its sender', async () => {
    const withWorker = { serviceWorkers: 'allow' } as const;
    const { page, context, dialog } = await lookInside(letter, 'reduce', withWorker);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await context.setOffline(true);
    await dialog.getByRole('link', { name: 'Write back to Ada' }).click();
    await page
      .getByRole('complementary')
      .getByText(`Ada Lovelace (${letter.senderEmail})`, { exact: true })
      .waitFor();
  });
});
