import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Download,
  type Locator,
  type Page,
  type Response,
} from 'playwright-core';
import { findBrowser, findHeadlessShell } from '../../scripts/find/find-browser.mjs';

export const IN_PAGE = fileURLToPath(new URL('in-page.js', import.meta.url));

/**
 * Parts of the browser that no test is about. The first two make a page of its own for the address
 * bar of every window, headless or not: a second of a processor for each test. The others are those
 * that Playwright leaves out itself, for of two such lists the later one counts.
 */
const LEFT_OUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export const FLAGS = [
  `--disable-features=${LEFT_OUT.join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A microphone that beeps, for a test that allows its use.
  '--use-fake-device-for-media-stream',
];

/** What makes letters and colours fall on the same pixels whatever the machine's own settings are. */
export const SAME_PIXELS = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
];

/** The same engine, quicker; it has no PDF viewer and no Background Sync. */
export function launchHeadlessShell(): Promise<Browser> {
  return chromium.launch({ executablePath: findHeadlessShell(), args: FLAGS });
}

export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: [...FLAGS, ...flags] });
}

/** A browser with a profile on the disk, as people have one: other contexts are private windows. */
export function launchProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { executablePath: findBrowser(), args: FLAGS });
}

/** What is shown once the server has a capsule. */
export function sealingMoment(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Sealed until/ });
}

/** From here on this page shows the moment, and goes on when the test does. Others go on by themselves. */
export async function lookAtMoments(page: Page): Promise<void> {
  const look = 'globalThis.looksAtMoments = true';
  await page.addInitScript(look);
  await page.evaluate(look);
}

/** One person at one device: a context of their own, and everything that went wrong or came over the wire. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Console errors, uncaught exceptions and policy violations, as they come. */
  problems: string[];
  /** Everything received so far, if it is recorded: addresses, headers and bodies. */
  received(): Promise<string>;
  /** What the device keeps: Cache Storage, IndexedDB, localStorage and sessionStorage, as text. */
  kept(): Promise<string>;
  close(): Promise<void>;
}

/** @param isRecorded keep what is received: every byte is then copied here, which a slow machine feels */
export async function openVisitor(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  { isRecorded = false } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    acceptDownloads: true,
    locale: 'en-GB',
    ...options,
  });
  // Longer than anything takes on a slow machine, shorter than a test's own limit.
  context.setDefaultTimeout(15_000);
  const problems: string[] = [];
  const responses: Promise<string>[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  context.on('weberror', (error) => problems.push(`uncaught: ${error.error().message}`));
  if (isRecorded) context.on('response', (response) => responses.push(readResponse(response)));
  await context.addInitScript({ path: IN_PAGE });
  const page = await context.newPage();
  return {
    context,
    page,
    problems,
    received: async () => {
      if (!isRecorded) throw new Error('What this visitor received was not recorded.');
      return (await Promise.all(responses)).join('\n');
    },
    kept: () => page.evaluate<string>('readDevice()'),
    close: async () => {
      // What a test answers itself may still be on its way, and would fail without a page.
      for (const routed of [context, ...context.pages()]) {
        // Unless it was closed before.
        await routed.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => undefined);
      }
      await context.close();
    },
  };
}

async function readResponse(response: Response): Promise<string> {
  const head = JSON.stringify([response.url(), await response.allHeaders().catch(() => ({}))]);
  // A redirect has no body, and one of a page that is gone cannot be read any more.
  const body = await response.body().catch(() => Buffer.alloc(0));
  return `${head}\n${body.toString('latin1')}`;
}

/** Clicks what starts a download and returns what arrived. */
export async function downloaded(page: Page, start: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return { name: download.suggestedFilename(), bytes: await bytesOf(download) };
}

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path());
}
