import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../../client/manifest.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { launchBrowser, openVisitor } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { photo } from '../support/fixtures.ts';
import { signIn } from '../support/screens.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** What an app store or a phone may spend on one picture. */
const BYTES_MAX = 60_000;

const CAPSULES = [
  ['To Elin, on her eighteenth birthday', 5_400],
  ['What we thought the year would bring', 320],
  ['The summer at the lake', 1_500],
  ['A letter to myself', 45],
  ['Recipes of your grandmother', 3_650],
  ['The first day in the new house', 700],
] as const;

/** The pictures that the manifest names, taken of the app itself: `npm run pictures` renews them. */
describe('pictures of the app', () => {
  let server: TestServer;
  let browser: Browser;
  let ada: SignedIn;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startTestServer({ client: true }), launchBrowser()]);
    ada = await signUp(server.url, 'Ada Lindqvist');
    const grace = await signUp(server.url, 'Grace Holm');
    const today = dayAt(server.clock.now(), 'UTC');
    for (const [title, days] of CAPSULES) {
      const dateToUnlock = addDays(today, days);
      const description = 'A letter, a photo, and what we said that evening.';
      await seal(ada, grace, { title, description, dateToUnlock }, [await photo()]);
    }
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it.each(manifest.screenshots ?? [])('$src', async ({ src, sizes, form_factor }) => {
    const [width = 0, height = 0] = String(sizes).split('x').map(Number);
    // A phone's picture is taken at its own density.
    const deviceScaleFactor = form_factor === 'narrow' ? 2 : 1;
    const viewport = { width: width / deviceScaleFactor, height: height / deviceScaleFactor };
    const visitor = await openVisitor(browser, server.url, {
      viewport,
      deviceScaleFactor,
      isMobile: form_factor === 'narrow',
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const picture = await takePicture(visitor.page, ada);
    const webp = await sharp(picture).webp({ quality: 72, effort: 6 }).toBuffer();
    expect(webp.length).toBeLessThan(BYTES_MAX);
    await writeFile(new URL(`../../public${src}`, import.meta.url), webp);
    await visitor.close();
  });
});

async function takePicture(page: Page, { user, password }: SignedIn): Promise<Buffer> {
  await signIn(page, { email: user.email, password });
  // Once more, without the greeting.
  await page.reload();
  await page.getByRole('article').first().waitFor();
  await page.evaluate('document.fonts.ready.then(() => true)');
  return page.screenshot({ animations: 'disabled' });
}
