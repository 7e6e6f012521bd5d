import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeInBothSchemes } from '../support/axe.ts';
import { exportOfSamples, HOSTILE, unpack } from '../support/keepsake.ts';
import { pdfText } from '../support/pdf-text.ts';
import { sharedServer } from '../support/server.ts';
import { keptBrowser } from '../support/world.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });
let keepsake: Awaited<ReturnType<typeof unpack>>;
beforeAll(async () => {
  keepsake = await unpack(await exportOfSamples(server));
});
afterAll(() => keepsake.remove());

/** The page, opened from the disk without a network. */
async function openKeepsake(width: number) {
  const browser = await keptBrowser();
  const context = await browser.newContext({ viewport: { width, height: 800 }, offline: true });
  const page = await context.newPage();
  const asked: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(keepsake.url);
  return { page, asked, problems, close: () => context.close() };
}

describe.each([360, 1280])('the page of an export, from a stick, at %d px', (width) => {
  it('shows letters, images and films, and links documents [35.keepsake.2]', async () => {
    const { page, asked, problems, close } = await openKeepsake(width);
    await page.getByText('whether the apple tree by the gate still stands').waitFor();
    const images = page.locator('img');
    for (const image of await images.all()) await image.scrollIntoViewIfNeeded();
    await expect
      .poll(() => page.evaluate('Array.from(document.images, (image) => image.naturalWidth)'))
      .toEqual([640, 480]);
    await page.locator('video').scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate('document.querySelector("video").videoWidth')).toBe(64);
    const links = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('a[href^="files/"]'), ({ href }) => href)`,
    );
    expect(links).toHaveLength(6);
    expect(links.filter((link) => !existsSync(fileURLToPath(link)))).toEqual([]);
    expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(problems).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await close();
  });

  it('is read as it was written, and runs nothing [35.keepsake.2]', async () => {
    const { page, close } = await openKeepsake(width);
    await page.getByText(HOSTILE).waitFor();
    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 2';
      document.body.append(script);
    `);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.content()).not.toMatch(/locked-(canary|name)/);
    await page.getByRole('heading', { name: 'For your wedding' }).waitFor();
    await close();
  });

  it('can be read by everybody, light and dark', async () => {
    const { page, close } = await openKeepsake(width);
    expect(await axeInBothSchemes(page)).toEqual([]);
    await close();
  });
});

it('the page of an export prints as a book, with contents and page numbers [35.keepsake.3]', async () => {
  const browser = await keptBrowser();
  const page = await browser.newPage();
  await page.goto(keepsake.url);
  const pages = pdfText(await page.pdf({ format: 'A4' }));
  await page.close();

  const [cover = '', contents = ''] = pages;
  expect(cover).toContain('Ada');
  expect(contents).toContain('Contents');
  expect(contents).toMatch(/1 +For your eighteenth birthday/);
  expect(contents).toMatch(/2 +A letter to myself/);
  const feet = pages.map((text) => text.trimEnd().split('\n').at(-1)?.trim().split(/ {2,}/));
  // The cover has no number, and every later page has its own.
  expect(feet.slice(1).map((foot) => foot?.at(-1))).toEqual(
    feet.slice(1).map((_, index) => String(index + 2)),
  );
  // Each capsule begins a page, and is named at the foot of all of its pages.
  const places = feet.slice(2, -1).map((foot) => foot?.[0]);
  expect(places).toEqual([...places].sort());
  expect(new Set(places)).toEqual(new Set(['Capsule 1', 'Capsule 2', 'Capsule 3']));
  expect(pages.at(-1)).toContain('For your wedding');
  // A film can't be watched on paper: its place in the archive is printed.
  const folder = 'files/001 2029-12-24 For your eighteenth birthday';
  expect(pages.join('')).toContain(`${folder}/03 First steps.mp4`);
});
