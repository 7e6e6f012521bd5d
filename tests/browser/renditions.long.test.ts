import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { capsuleFiles } from '../../server/db/schema.ts';
import type { Capsule } from '../../shared/api/capsules.ts';
import { rowsOf } from '../support/at-device.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { downloaded } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { type FixtureFile, photo } from '../support/fixtures.ts';
import { NOT_LOADED } from '../support/opened.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const SIZE = { width: 2_400, height: 1_800 };
const RENDITIONS = '**/api/capsules/download/*/rendition*';
const FILES = '**/api/capsules/download/*';

describe('large photographs of an opened capsule', () => {
  const { server, open } = sharedWorld({ clock: '2029-12-31T12:00:00Z' });
  let grace: SignedIn;
  let album: Capsule;
  let rotten: Capsule;
  let photos: FixtureFile[];

  beforeAll(async () => {
    const ada = await signUp(server.url, 'Ada Lovelace');
    grace = await signUp(server.url, 'Grace Hopper');
    photos = await Promise.all(
      ['The lake.jpg', 'The jetty.jpg', 'The boat.jpg'].map((name) => photo(name, SIZE)),
    );
    album = await seal(ada, grace, { title: 'The summer' }, photos);
    rotten = await seal(ada, grace, { title: 'Rotten' }, photos.slice(0, 1));
    server.clock.set('2030-01-01T12:00:00Z');
    for (const { id } of [album, rotten]) await grace.put(`/api/capsules/${id}/seen`);
  });

  /** Grace at a device of her own. `before` breaks calls before the capsule is shown. */
  async function look({ id, title }: Capsule, before: (page: Page) => Promise<unknown>) {
    const { page, problems } = await open({ reducedMotion: 'reduce' });
    const received: { path: string; bytes: number }[] = [];
    page.on('requestfinished', async (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.includes('/download/') || request.method() !== 'GET') return;
      received.push({ path: pathname, bytes: (await request.sizes()).responseBodySize });
    });
    await signIn(page, { email: grace.user.email, password: PASSWORD });
    await before(page);
    await page.goto(`/dashboard?capsule=${id}`);
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByText('All files (').waitFor();
    return { page, dialog, received, problems };
  }
  const untouched = async () => {};

  it('come as renditions, a fraction of their bytes', async () => {
    const { page, received, problems } = await look(album, untouched);
    await expect.poll(() => thumbnailWidths(page)).toEqual([1_200, 480, 480]);
    await expect.poll(() => received.length).toBe(3);
    expect(received.filter(({ path }) => !path.endsWith('/rendition'))).toEqual([]);
    const sum = (all: number[]) => all.reduce((total, one) => total + one, 0);
    const whole = sum(photos.map(({ bytes }) => bytes.length));
    expect(sum(received.map(({ bytes }) => bytes))).toBeLessThan(whole / 8);
    expect(problems).toEqual([]);
  });

  it('are enlarged at once, and become the original when it has come', async () => {
    const { page, dialog, problems } = await look(album, untouched);
    let letCome = () => {};
    const mayCome = new Promise<void>((resolve) => {
      letCome = resolve;
    });
    await page.route(FILES, async (route) => {
      await mayCome;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Enlarge The lake.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'The lake.jpg' });
    const next = viewer.getByRole('button', { name: 'Next image' });
    const width = () =>
      viewer
        .getByRole('img', { name: 'The lake.jpg' })
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(width).toBe(1_200);
    const place = await next.boundingBox();
    expect(await axeInBothSchemes(page)).toEqual([]);
    letCome();
    await expect.poll(width).toBe(SIZE.width);
    expect(await next.boundingBox()).toEqual(place);
    const saved = await downloaded(page, () =>
      viewer.getByRole('button', { name: 'Download The lake.jpg' }).click(),
    );
    expect(saved.bytes.equals(photos[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(problems).toEqual([]);
  });

  it('stop loading when the next one is looked at', async () => {
    const { page, dialog } = await look(album, untouched);
    const begun: string[] = [];
    const stopped: string[] = [];
    page.on('requestfailed', (request) => stopped.push(request.url()));
    await page.route(FILES, async (route) => {
      begun.push(route.request().url());
    });
    await dialog.getByRole('button', { name: 'Enlarge The lake.jpg' }).click();
    await expect.poll(() => begun.length).toBe(1);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => stopped).toEqual(begun.slice(0, 1));
    await expect.poll(() => begun.length).toBe(2);
  });

  it('are shown whole where no rendition can be had', async () => {
    const { page, dialog } = await look(album, (visited) =>
      visited.route(RENDITIONS, (route) => route.fulfill({ status: 503 })),
    );
    await expect.poll(() => thumbnailWidths(page)).toEqual([2_400, 2_400, 2_400]);
    await dialog.getByRole('button', { name: 'Enlarge The jetty.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'The jetty.jpg' });
    await viewer.getByRole('img', { name: 'The jetty.jpg' }).waitFor();
  });

  it('without a connection say so, and come as renditions when they are tried again', async () => {
    const { page, dialog } = await look(album, (visited) =>
      visited.route('**/api/capsules/download/**', (route) => route.abort()),
    );
    await dialog.getByRole('button', { name: 'Enlarge The boat.jpg' }).click();
    const viewer = page.getByRole('dialog', { name: 'The boat.jpg' });
    await viewer.getByText(NOT_LOADED).waitFor();
    await page.unroute('**/api/capsules/download/**');
    await viewer.getByRole('button', { name: 'Try again' }).click();
    await viewer.getByRole('img', { name: 'The boat.jpg' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => thumbnailWidths(page)).toEqual([1_200, 480, 480]);
  });

  it('are saved on the device as renditions, and larger ones once they were enlarged', async () => {
    const { page, dialog } = await look(album, untouched);
    const widths = async () =>
      (await rowsOf<{ width: number }>(page, 'shownFiles')).map(({ width }) => width).toSorted();
    await expect.poll(() => thumbnailWidths(page)).toEqual([1_200, 480, 480]);
    await expect.poll(widths).toEqual([1_200, 480, 480]);
    await dialog.getByRole('button', { name: 'Enlarge The boat.jpg' }).click();
    await expect.poll(widths).toEqual([1_200, 1_200, 480]);
  });

  it('say so when they are damaged on the server', async () => {
    const { db, files } = server.deps;
    const [stored] = await db
      .select()
      .from(capsuleFiles)
      .where(eq(capsuleFiles.capsuleId, rotten.id));
    const bytes = Buffer.from(photos[0]?.bytes ?? []);
    bytes.write('rot!', bytes.length - 20);
    await files.write(stored?.storageKey ?? '', Readable.from([bytes]));
    const { page, dialog } = await look(rotten, untouched);
    const thumbnail = dialog.getByRole('button', { name: 'Enlarge The lake.jpg' });
    await thumbnail.getByText('The lake.jpg').waitFor();
    await thumbnail.click();
    await page.getByRole('dialog', { name: 'The lake.jpg' }).getByText(NOT_LOADED).waitFor();
  });
});

/** Natural widths of the thumbnails; 0 for those that have not come. */
function thumbnailWidths(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`(() => {
    const images = [...document.querySelectorAll('dialog ul img')];
    for (const image of images) image.scrollIntoView();
    return images.map((image) => image.naturalWidth);
  })()`);
}
