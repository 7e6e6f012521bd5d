import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { capsuleFiles } from '../../server/db/schema.ts';
import type { Capsule } from '../../shared/api/capsules.ts';
import { FILE_DAMAGED } from '../../shared/sentences.ts';
import { rowsOf } from '../support/at-device.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { seal } from '../support/capsules.ts';
import { PASSWORD } from '../support/client.ts';
import { clip, pdf, photo } from '../support/fixtures.ts';
import { atOpened, MESSAGE, NOT_LOADED, READY_STATE } from '../support/opened.ts';
import { rare } from '../support/rare.ts';
import { signIn } from '../support/screens.ts';
import { until } from '../support/until.ts';

const FAILED = 'Failed to download file. Please try again.';

/** How far each part of the dialog is scrolled down, without those at their top. */
const SCROLLED = `[...document.querySelectorAll('dialog, dialog *')].map((part) => part.scrollTop).filter(Boolean)`;
/** Whether the seal and the first line of the letter are in the window. */
const SEAL_IN_VIEW = `(() => {
  const { top } = document.querySelector('dialog svg[width="72"]').getBoundingClientRect();
  const letter = document.querySelector('dialog [aria-label="Personal message"] p').getBoundingClientRect();
  return top >= 0 && top < letter.top && letter.top + 30 <= innerHeight;
})()`;
const DIALOG_SCROLLS_BY = `(() => {
  const dialog = document.querySelector('dialog[open]');
  return dialog.scrollHeight - dialog.clientHeight;
})()`;
/** Of the page, and of the dialog on it. */
const BACKGROUNDS = `['html', 'dialog'].map((name) => getComputedStyle(document.querySelector(name)).backgroundColor)`;

describe('a capsule that has opened', () => {
  const at = atOpened();
  const { server, open, look, lookInside } = at;
  let letter: Capsule;
  let album: Capsule;
  let later: Capsule;

  beforeAll(async () => {
    const { ada, grace } = at;
    letter = await seal(ada, grace, { title: 'Only words', personalMessage: MESSAGE });
    later = await seal(ada, grace, {
      title: 'A minute later',
      personalMessage: MESSAGE,
      dateToUnlock: '2031-01-01',
    });
    album = await seal(ada, grace, { title: 'The lake', personalMessage: MESSAGE }, [
      await photo(),
      await photo('The jetty.jpg'),
      await clip(),
      pdf(),
    ]);
  });

  it('is opened on a stage, once on all devices', async () => {
    const { page, dialog, problems } = await look(letter, 'no-preference');
    await dialog.getByText('This capsule is still locked.').waitFor();

    server.clock.set('2030-01-01T12:00:00Z');
    await page.reload();
    const press = page.getByRole('button', { name: 'Press to open' });
    await press.waitFor();
    await dialog.getByText('Sealed 31 December 2029. One day.').waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toBe('Press to open');
    expect(await page.getByText('the lake is frozen again').count()).toBe(0);
    // Also the room of the scroll bar beside it.
    const backgrounds = async () => new Set(await page.evaluate<string[]>(BACKGROUNDS));
    await expect.poll(async () => (await backgrounds()).size).toBe(1);
    // Turning away opens nothing.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`/dashboard?capsule=${letter.id}`);
    await press.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await press.waitFor({ state: 'detached' });
    await dialog.getByText('the lake is frozen again').waitFor();
    await dialog.getByText('Unlocked', { exact: true }).waitFor();

    // A page that is left at once may not have noted it, and shows the stage again.
    const lookedAt = async () =>
      (await rowsOf<{ lookedAt: string[] }>(page, 'openings')).flatMap(({ lookedAt }) => lookedAt);
    await expect.poll(lookedAt).toContain(letter.id);
    await page.reload();
    await dialog.getByText('the lake is frozen again').waitFor();
    const elsewhere = await look(letter, 'no-preference');
    await elsewhere.dialog.getByText('the lake is frozen again').waitFor();
    expect(problems).toEqual([]);
  });

  rare('starts at the seal and the first word, by link and by click', async () => {
    const viewport = { width: 360, height: 780 };
    server.clock.set('2030-01-01T12:00:00Z');
    const { page, dialog, close } = await lookInside(album, 'no-preference', { viewport });
    const startsAtTheSeal = async () => {
      await dialog.getByText('the lake is frozen again').waitFor();
      await expect.poll(() => page.evaluate<number>(READY_STATE)).toBeGreaterThan(0);
      expect(await page.evaluate<number[]>(SCROLLED)).toEqual([]);
      expect(await page.evaluate<boolean>(SEAL_IN_VIEW)).toBe(true);
    };
    await startsAtTheSeal();
    await page.reload();
    await startsAtTheSeal();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: /^Shared With Me/ }).click();
    for (const _ of ['first', 'again']) {
      await page.getByRole('button', { name: 'View details of The lake' }).click();
      await startsAtTheSeal();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.goto(`/dashboard?capsule=${album.id}`);
    await startsAtTheSeal();
    await close();
  });

  rare('scrolls in one place only, in a high window and a low one', async () => {
    server.clock.set('2029-12-31T12:00:00Z');
    const words = { title: 'Years of it', personalMessage: 'Snow again.\n'.repeat(90) };
    const long = await seal(at.ada, at.grace, words, [pdf(), pdf('The map.pdf')]);
    server.clock.set('2030-01-01T12:00:00Z');
    const { page, dialog, close } = await lookInside(long, 'reduce', {
      viewport: { width: 360, height: 740 },
    });
    for (const height of [740, 400]) {
      await page.setViewportSize({ width: 360, height });
      await page.reload();
      await dialog.getByText(/^All files/).waitFor();
      // At the end of the text the wheel would go on in the dialog, and move its close button away.
      expect(await page.evaluate<number>(DIALOG_SCROLLS_BY), `${height} px`).toBe(0);
    }
    await close();
  });

  rare('shows images, plays the video and opens the PDF, and axe finds nothing', async () => {
    const { page, context, dialog, problems } = await lookInside(album, 'reduce', {
      wholeBrowser: true,
    });
    await dialog.getByText('the lake is frozen again').waitFor();
    expect(await imageWidths(page)).toEqual([640, 640]);
    expect(await until(() => videoSize(page))).toBe('64 × 64');
    expect(await axeInBothSchemes(page)).toEqual([]);

    await dialog.getByRole('button', { name: 'Enlarge Grandma at the lake.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'Grandma at the lake.jpg' });
    await viewer.getByRole('img', { name: 'Grandma at the lake.jpg' }).waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'The jetty.jpg' }).getByText('2 of 2').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'The jetty.jpg' }).waitFor({ state: 'hidden' });
    await dialog.getByRole('heading', { name: 'Files' }).waitFor();

    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      dialog.getByRole('button', { name: 'Open The letter.pdf in a new tab' }).click(),
    ]);
    await until(() => (tab.url().startsWith('blob:') ? true : null));

    expect(problems).toEqual([]);
  });

  rare('gives back all files as one, and says which one could not be had', async () => {
    const { page, dialog, problems } = await lookInside(album, 'reduce');
    await dialog.getByText('All files (4)').click();
    const all = dialog.getByRole('button', { name: 'Download all files' });
    const download = page.waitForEvent('download');
    await all.click();
    expect((await download).suggestedFilename()).toBe(`${album.title}.zip`);

    await page.route('**/files.zip', (route) => route.fulfill({ status: 500 }));
    await all.click();
    const failure = dialog.getByRole('region', { name: 'Messages' }).getByText(FAILED);
    await failure.waitFor();
    await dialog.getByRole('button', { name: `Dismiss: ${FAILED}` }).click();
    await failure.waitFor({ state: 'detached' });
    await page.route('**/api/capsules/download/*', (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ status: 500 }) : route.continue(),
    );
    await dialog.getByRole('button', { name: 'Download The letter.pdf' }).click();
    await failure.waitFor();
    await dialog.getByRole('button', { name: `Dismiss: ${FAILED}` }).click();
    await failure.waitFor({ state: 'detached' });

    // Over the enlarged image too, where the message below could not be read.
    await dialog.getByRole('button', { name: 'Enlarge The jetty.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'The jetty.jpg' });
    await viewer.getByRole('button', { name: 'Download The jetty.jpg' }).click();
    await viewer.getByText(FAILED).waitFor();

    expect(problems.filter((problem) => !problem.includes('status of 500'))).toEqual([]);
  });

  rare('says which files are damaged or missing on the server, and gives the others', async () => {
    server.clock.set('2029-12-31T12:00:00Z');
    const photos = [await photo('Rotten.jpg'), await photo('Whole.jpg')];
    const broken = await seal(at.ada, at.grace, { title: 'Broken' }, [
      ...photos,
      await clip(),
      pdf(),
    ]);
    server.clock.set('2030-01-01T12:00:00Z');
    const { files, db } = server.deps;
    const stored = await db
      .select()
      .from(capsuleFiles)
      .where(eq(capsuleFiles.capsuleId, broken.id));
    const keyOf = (name: string) => stored.find((file) => file.name === name)?.storageKey ?? '';
    const rotten = keyOf('Rotten.jpg');
    const bytes = await buffer((await files.read(rotten))?.stream ?? Readable.from([]));
    bytes.write('rot!', bytes.length - 20);
    await files.write(rotten, Readable.from([bytes]));
    await files.delete([keyOf('First steps.mp4')]);
    await files.delete([keyOf('The letter.pdf')]);

    const { dialog, page } = await lookInside(broken, 'reduce');
    await dialog.getByText(NOT_LOADED).waitFor();
    await dialog.getByRole('button', { name: 'Enlarge Rotten.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'Rotten.jpg' });
    await viewer.getByText(NOT_LOADED).waitFor();
    await viewer.getByRole('button', { name: 'Next image' }).click();
    await page
      .getByRole('dialog', { name: 'Whole.jpg' })
      .getByRole('img', { name: 'Whole.jpg' })
      .waitFor();
    await page.keyboard.press('Escape');

    await dialog.getByText('All files (4)').click();
    await dialog.getByRole('button', { name: 'Download Rotten.jpg' }).click();
    await dialog.getByRole('region', { name: 'Messages' }).getByText(FILE_DAMAGED).waitFor();
    expect(await dialog.getByText(FAILED).count()).toBe(0);
  });

  rare('shows the photos that were seen without a connection, and the film with one', async () => {
    const withWorker = { serviceWorkers: 'allow' } as const;
    const { page, context, dialog } = await lookInside(album, 'reduce', withWorker);
    await dialog.getByText('the lake is frozen again').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    expect(await imageWidths(page)).toEqual([640, 640]);
    await expect.poll(() => rowsOf(page, 'shownFiles')).toHaveLength(2);
    await context.setOffline(true);
    await page.reload();
    await dialog.getByText(NOT_LOADED).waitFor();
    await dialog.locator('ul img[src^=blob]').nth(1).waitFor();
    await dialog.getByRole('button', { name: 'Enlarge The jetty.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'The jetty.jpg' });
    await viewer.locator('img[src^=blob]').waitFor();
    expect(await page.getByText("We couldn't load").count()).toBe(1);
    expect(await axeInBothSchemes(page)).toEqual([]);

    await context.setOffline(false);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.evaluate<number>(READY_STATE)).toBeGreaterThan(0);
  });

  rare('opens under the eyes of who waits for it, whatever list is behind it', async () => {
    server.clock.set('2030-12-31T23:59:30Z');
    const visitor = await open({ reducedMotion: 'reduce' });
    const { page } = visitor;
    await page.clock.install({ time: '2030-12-31T23:59:30Z' });
    await signIn(
      page,
      { email: at.grace.user.email, password: PASSWORD },
      `/dashboard?tab=received&q=nothing&capsule=${later.id}`,
    );
    const dialog = page.getByRole('dialog', { name: 'A minute later' });
    await dialog.getByText('This capsule is still locked.').waitFor();
    server.clock.set('2031-01-01T00:00:10Z');
    await page.clock.fastForward(60_000);
    await dialog.getByRole('button', { name: 'Press to open' }).waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Press to open' }).click();
    await dialog.getByText('the lake is frozen again').waitFor();
  });

  rare('leads on to an answer to its sender', async () => {
    server.clock.set('2030-01-01T12:00:00Z');
    const { page, dialog } = await lookInside(letter, 'reduce');
    const summary = page.getByRole('complementary');
    const recipients = summary.getByText(`Ada Lovelace (${letter.senderEmail})`, { exact: true });
    await dialog.getByRole('link', { name: 'Write back to Ada' }).click();
    await recipients.waitFor();
    await page.getByText('Dear Ada,', { exact: true }).waitFor();
  });

  rare('prints the letter, its sender and its dates, and nothing of the app', async () => {
    const { page, dialog, problems } = await lookInside(letter, 'reduce');
    await page.evaluate('window.print = () => { document.title = "printing"; }');
    await dialog.getByRole('button', { name: 'Print the letter' }).click();
    expect(await page.title()).toBe('printing');

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const printed = await page.evaluate<string>('document.body.innerText');
    expect(printed.split(/\n+/)).toEqual([
      'Only words',
      ...MESSAGE.split(/\n+/),
      'From Ada Lovelace',
      'Sealed on 31 December 2029',
      'Unlocked on 1 January 2030',
    ]);

    await page.emulateMedia({ media: 'screen' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('body > article').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });
});

/** Natural widths of the thumbnails, once all have arrived. */
function imageWidths(page: Page): Promise<number[]> {
  return until(() =>
    page.evaluate<number[] | null>(`(() => {
      const images = [...document.querySelectorAll('dialog ul img')];
      for (const image of images) image.scrollIntoView();
      return images.every((image) => image.complete) ? images.map((image) => image.naturalWidth) : null;
    })()`),
  );
}

/** What the browser has understood of the video; null while it has not. */
function videoSize(page: Page): Promise<string | null> {
  return page.evaluate<string | null>(`(() => {
    const video = document.querySelector('dialog video');
    if (!video?.videoWidth) return null;
    return video.videoWidth + ' × ' + video.videoHeight;
  })()`);
}
