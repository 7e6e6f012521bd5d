import { expect, it } from 'vitest';
import { exportOfSamples, unpack } from '../support/keepsake.ts';
import { pdfText } from '../support/pdf-text.ts';
import { sharedServer } from '../support/server.ts';
import { keptBrowser } from '../support/world.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });

it('the page of an export prints as a book, with contents and page numbers [35.keepsake.3]', async () => {
  const keepsake = await unpack(await exportOfSamples(server));
  const browser = await keptBrowser();
  const page = await browser.newPage();
  await page.goto(keepsake.url);
  const pages = pdfText(await page.pdf({ format: 'A4' }));
  await page.close();
  await keepsake.remove();

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
