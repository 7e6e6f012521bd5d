import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { and, eq } from 'drizzle-orm';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { capsuleFiles } from '../../server/db/schema.ts';
import type { Capsule } from '../../shared/api/capsules.ts';
import { FILE_DAMAGED, FILE_LOST } from '../../shared/sentences.ts';
import { rowsOf } from '../support/at-device.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { downloaded } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { clip, heic, pdf, photo } from '../support/fixtures.ts';
import { signIn } from '../support/screens.ts';
import { until } from '../support/until.ts';
import { sharedWorld } from '../support/world.ts';

const MESSAGE = 'Dear Grace,\n\nwhen you read this, the lake is frozen again.';
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
/** Names of files whose extensions are on two lines. */
const BROKEN_EXTENSIONS = `[...document.querySelectorAll('dialog *')]
  .flatMap(({ childNodes }) => [...childNodes])
  .filter((node) => node.nodeType === Node.TEXT_NODE && /\\.(jpg|pdf)$/.test(node.data))
  .filter((node) => {
    const range = document.createRange();
    range.setStart(node, node.data.length - 4);
    range.setEnd(node, node.data.length);
    return range.getClientRects().length > 1;
  })
  .map((node) => node.data)`;
/** Of the page, and of the dialog on it. */
const BACKGROUNDS = `['html', 'dialog'].map((name) => getComputedStyle(document.querySelector(name)).backgroundColor)`;
const READY_STATE = 'document.querySelector("video")?.readyState ?? 0';

describe('a capsule that has opened', () => {
  const { server, open } = sharedWorld({ clock: '2029-12-31T12:00:00Z', wholeBrowser: true });
  let grace: SignedIn;
  let letter: Capsule;
  let album: Capsule;
  let later: Capsule;
  let long: Capsule;
  let broken: Capsule;
  let fromPhone: Capsule;
  let named: Capsule;

  beforeAll(async () => {
    const ada = await signUp(server.url, 'Ada Lovelace');
    grace = await signUp(server.url, 'Grace Hopper');
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
    long = await seal(
      ada,
      grace,
      { title: 'Years of it', personalMessage: 'Snow again.\n'.repeat(90) },
      [pdf(), pdf('The map.pdf')],
    );
    const film = await clip();
    fromPhone = await seal(ada, grace, { title: 'From my phone' }, [
      await heic(),
      { ...film, bytes: film.bytes.subarray(0, 64) },
    ]);
    const name = 'grandma_at_the_lake_with_all_of_us_and_the_dog';
    named = await seal(ada, grace, { title: 'Named' }, [
      await photo(`${name}.jpg`),
      pdf(`${name}.pdf`),
    ]);
    broken = await seal(ada, grace, { title: 'Broken' }, [
      await photo('Rotten.jpg'),
      await photo('Whole.jpg'),
      await clip(),
      pdf(),
    ]);
  });

  /** Grace at a device of her own, looking at the capsule. */
  async function look(
    capsule: Capsule,
    reducedMotion: 'reduce' | 'no-preference',
    options: BrowserContextOptions = {},
    before: (page: Page) => Promise<unknown> = async () => {},
  ) {
    const visitor = await open({ reducedMotion, ...options });
    await signIn(visitor.page, { email: grace.user.email, password: PASSWORD });
    await before(visitor.page);
    await visitor.page.goto(`/dashboard?capsule=${capsule.id}`);
    const dialog = visitor.page.getByRole('dialog', { name: capsule.title });
    await dialog.waitFor();
    return { ...visitor, dialog };
  }

  /** The same, once she has opened it. */
  async function lookInside(...asked: Parameters<typeof look>) {
    await grace.put(`/api/capsules/${asked[0].id}/seen`);
    return look(...asked);
  }

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
    const [behind, stage] = await page.evaluate<string[]>(BACKGROUNDS);
    expect(behind).toBe(stage);
    expect(await axeInBothSchemes(page)).toEqual([]);
    // Turning away opens nothing.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`/dashboard?capsule=${letter.id}`);
    await press.waitFor();
    await page.keyboard.press('Enter');
    await press.waitFor({ state: 'detached' });
    await dialog.getByText('the lake is frozen again').waitFor();
    await dialog.getByText('Unlocked', { exact: true }).waitFor();

    await page.reload();
    await dialog.getByText('the lake is frozen again').waitFor();
    const elsewhere = await look(letter, 'no-preference');
    await elsewhere.dialog.getByText('the lake is frozen again').waitFor();
    expect(problems).toEqual([]);
  });

  it('opens at once when any key is pressed again', async () => {
    server.clock.set('2030-01-01T12:00:00Z');
    const { page, problems } = await look(album, 'no-preference');
    await page.getByRole('button', { name: 'Press to open' }).click();
    await page.keyboard.press('x');
    await page.getByRole('dialog', { name: album.title }).getByText('frozen again').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });

  it.each([
    ['a phone', { width: 360, height: 780 }],
    ['a laptop', { width: 1280, height: 800 }],
  ])(
    'starts at the seal and the first word on %s, by link and by click',
    async (_device, viewport) => {
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
      }
      await close();
    },
  );

  it.each([740, 400])('scrolls in one place only, in a window %i high', async (height) => {
    server.clock.set('2030-01-01T12:00:00Z');
    const { page, dialog, close } = await lookInside(long, 'reduce', {
      viewport: { width: 360, height },
    });
    await dialog.getByRole('button', { name: 'Download all' }).waitFor();
    // At the end of the text the wheel would go on in the dialog, and move its close button away.
    expect(await page.evaluate<number>(DIALOG_SCROLLS_BY)).toBe(0);
    await close();
  });

  it('is put away without a promise of a day that has passed', async () => {
    server.clock.set('2030-01-01T12:00:00Z');
    const { page, dialog, close } = await lookInside(letter, 'reduce');
    await dialog.getByRole('button', { name: 'Move out of sight' }).click();
    await page.getByText('“Only words” is out of sight.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“Only words” is back.').waitFor();
    await close();
  });

  it('shows images, plays the video and opens the PDF, and axe finds nothing', async () => {
    const { page, context, dialog, problems } = await lookInside(album, 'reduce');
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

  it('gives back all files in turn, and says which one could not be had', async () => {
    const { page, dialog, problems } = await lookInside(album, 'reduce');
    const arrived: string[] = [];
    page.on('download', (download) => arrived.push(download.suggestedFilename()));
    const all = dialog.getByRole('button', { name: 'Download all' });
    await all.click();
    await dialog.getByRole('progressbar', { name: 'Saving files' }).waitFor();
    await until(() => (arrived.length === 4 ? true : null));
    expect(arrived.toSorted()).toEqual([
      'First steps.mp4',
      'Grandma at the lake.jpg',
      'The jetty.jpg',
      'The letter.pdf',
    ]);

    await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
    await page.route('**/api/capsules/download/*', (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ status: 500 }) : route.continue(),
    );
    await dialog.getByText('All files (4)').click();
    await dialog.getByRole('button', { name: 'Download The letter.pdf' }).click();
    const alert = dialog.getByRole('alert').filter({ hasText: FAILED });
    await alert.getByText('The letter.pdf').waitFor();
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await dialog.getByText(FAILED).waitFor({ state: 'detached' });

    // Over the enlarged image too, where the message below could not be read.
    await dialog.getByRole('button', { name: 'Enlarge The jetty.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'The jetty.jpg' });
    await viewer.getByRole('button', { name: 'Download The jetty.jpg' }).click();
    await viewer.getByText(FAILED).waitFor();

    expect(problems.filter((problem) => !problem.includes('status of 500'))).toEqual([]);
  });

  it('has words for a photograph of a phone and a video that the browser does not know', async () => {
    const { page, dialog, problems } = await lookInside(fromPhone, 'reduce');
    await dialog
      .getByText("First steps.mp4 can't be played here. Download it to watch it.")
      .waitFor();
    const thumbnail = dialog.getByRole('button', { name: 'Enlarge IMG_0412.HEIC' });
    await thumbnail.scrollIntoViewIfNeeded();
    await thumbnail.getByText('IMG_0412.HEIC').waitFor();
    expect(await thumbnail.locator('img').isVisible()).toBe(false);
    expect(await axeInBothSchemes(page)).toEqual([]);
    await thumbnail.click();
    const viewer = page.getByRole('dialog', { name: 'IMG_0412.HEIC' });
    await viewer.getByText("We can't show this image here. Download it to see it.").waitFor();
    const saved = await downloaded(page, () =>
      viewer.getByRole('button', { name: 'Download IMG_0412.HEIC' }).click(),
    );
    expect(saved).toEqual({ name: 'IMG_0412.HEIC', bytes: (await heic()).bytes });

    expect(problems).toEqual([]);
  });

  it('breaks no name of a file within its extension', async () => {
    server.clock.set('2030-01-01T12:00:00Z');
    const { page, dialog } = await lookInside(named, 'reduce');
    await dialog.getByText('All files (2)').click();
    for (let width = 320; width < 400; width += 3) {
      await page.setViewportSize({ width, height: 700 });
      expect(await page.evaluate<string[]>(BROKEN_EXTENSIONS), `${width} px`).toEqual([]);
    }
  });

  it('a line that is dead though the device takes itself for online is no fault of a file', async () => {
    const { page, dialog } = await lookInside(album, 'reduce', {}, (visited) =>
      visited.route('**/api/capsules/download/*', (route) => route.abort()),
    );
    await dialog.getByText('the lake is frozen again').waitFor();
    await dialog.getByText("No connection. You can watch it once you're online again.").waitFor();
    await dialog.getByRole('button', { name: 'Enlarge The jetty.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'The jetty.jpg' });
    await viewer
      .getByText("No connection. You can see this image once you're online again.")
      .waitFor();
    // Its place is for the words alone, not for the browser's sign of a broken image too.
    expect(await viewer.locator('img').isVisible()).toBe(false);
    await page.unroute('**/api/capsules/download/*');
    // Nobody says when it is back: both look again by themselves.
    await viewer.getByRole('img', { name: 'The jetty.jpg' }).waitFor();
    await expect.poll(() => page.evaluate<number>(READY_STATE)).toBeGreaterThan(0);
  });

  it('says which files are damaged or missing on the server, and gives the others', async () => {
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
    await dialog.getByText(`First steps.mp4 · ${FILE_DAMAGED}`).waitFor();
    await dialog.getByRole('button', { name: 'Enlarge Rotten.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'Rotten.jpg' });
    await viewer.getByText(FILE_DAMAGED).waitFor();
    await viewer.getByRole('button', { name: 'Next image' }).click();
    await page
      .getByRole('dialog', { name: 'Whole.jpg' })
      .getByRole('img', { name: 'Whole.jpg' })
      .waitFor();
    await page.keyboard.press('Escape');

    await dialog.getByRole('button', { name: 'Download all' }).click();
    const alert = dialog.getByRole('alert').filter({ hasText: FILE_DAMAGED });
    await alert.getByText('Rotten.jpg, First steps.mp4, The letter.pdf', { exact: true }).waitFor();
    expect(await alert.getByText(FAILED).count()).toBe(0);
  });

  it('says which files are lost for good, and offers only the others', async () => {
    server.clock.set('2030-01-01T12:00:00Z');
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
    expect(await dialog.getByRole('button', { name: /Enlarge|Open|Download all/ }).count()).toBe(1);
    await dialog.getByText('All files (1)').waitFor();
  });

  it('without a connection it shows the photos that were seen, and goes on when there is one', async () => {
    const withWorker = { serviceWorkers: 'allow' } as const;
    const { page, context, dialog } = await lookInside(album, 'reduce', withWorker);
    await dialog.getByText('the lake is frozen again').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    expect(await imageWidths(page)).toEqual([640, 640]);
    await expect.poll(() => rowsOf(page, 'shownFiles')).toHaveLength(2);
    await context.setOffline(true);
    await page.reload();
    await dialog.getByText("No connection. You can watch it once you're online again.").waitFor();
    await dialog.locator('ul img[src^=blob]').nth(1).waitFor();
    await dialog.getByRole('button', { name: 'Enlarge The jetty.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'The jetty.jpg' });
    await viewer.locator('img[src^=blob]').waitFor();
    expect(await viewer.getByText('No connection').isVisible()).toBe(false);
    expect(await axeInBothSchemes(page)).toEqual([]);

    await context.setOffline(false);
    await viewer.locator('img:not([src^=blob])').waitFor();
    await expect.poll(() => page.evaluate<number>(READY_STATE)).toBeGreaterThan(0);
    await dialog.getByText('No connection. You can watch').waitFor({ state: 'detached' });
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

  it('opens under the eyes of who waits for it, whatever list is behind it', async () => {
    server.clock.set('2030-12-31T23:59:30Z');
    const visitor = await open({ reducedMotion: 'reduce' });
    const { page } = visitor;
    await page.clock.install({ time: '2030-12-31T23:59:30Z' });
    await signIn(page, { email: grace.user.email, password: PASSWORD });
    await page.goto(`/dashboard?tab=received&q=nothing&capsule=${later.id}`);
    const dialog = page.getByRole('dialog', { name: 'A minute later' });
    await dialog.getByText('This capsule is still locked.').waitFor();
    server.clock.set('2031-01-01T00:00:10Z');
    await page.clock.fastForward(60_000);
    await dialog.getByRole('button', { name: 'Press to open' }).click();
    await dialog.getByText('the lake is frozen again').waitFor();
  });

  it('leads on: an answer to its sender, or one for next year', async () => {
    server.clock.set('2030-01-01T12:00:00Z');
    const { page, dialog } = await lookInside(letter, 'reduce');
    const summary = page.getByRole('complementary');
    const recipients = summary.getByText(`Ada Lovelace (${letter.senderEmail})`, { exact: true });
    await dialog.getByRole('link', { name: 'Write back to Ada' }).click();
    await recipients.waitFor();
    await page.getByText('Dear Ada,', { exact: true }).waitFor();
    await page.goBack();
    await dialog.getByRole('link', { name: 'Seal an answer for next year' }).click();
    await recipients.waitFor();
    await summary.getByText('Still needed: a title, a description', { exact: true }).waitFor();
  });

  it('leads on without a connection, to an answer to its sender', async () => {
    server.clock.set('2030-01-01T12:00:00Z');
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

  it('prints the letter, its sender and its dates, and nothing of the app', async () => {
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
      'Opened on 1 January 2030',
    ]);

    await page.emulateMedia({ media: 'screen' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.querySelectorAll("body > article").length')).toBe(0);
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
