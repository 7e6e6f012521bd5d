import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { findFirefox } from '../../scripts/find/find-engines.mjs';
import { until } from '../support/until.ts';
import { type Engine, untilFound } from './engine.ts';

interface FirefoxOptions {
  prefs?: Record<string, string | number | boolean>;
  /** A folder for a profile that outlives the browser; without it, a new one. */
  profile?: string;
}

export interface Firefox extends Engine {
  /** Brings the tab that is driven to the front. */
  toFront(): Promise<void>;
  /** The addresses of all its tabs. */
  tabs(): Promise<string[]>;
  /** Presses the notification with this title, as a person does. It needs `NOTIFIES`. */
  pressNotification(title: string): Promise<void>;
}

/** For a Firefox that shows notifications and lets them be pressed. */
export const NOTIFIES = {
  // As if the person had allowed them before: a question of the browser can't be answered.
  'permissions.default.desktop-notification': 1,
  // Its own ones, since there is no desktop to show them.
  'alerts.useSystemBackend': false,
  // Without animations they are there at once, and gone at once.
  'ui.prefersReducedMotion': 1,
  // Otherwise Puppeteer's own setting keeps a worker from bringing a tab to the front.
  'focusmanager.testmode': false,
};

/** Firefox without a window, driven by WebDriver BiDi. */
export async function startFirefox({ prefs, profile }: FirefoxOptions = {}): Promise<Firefox> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findFirefox(),
    headless: true,
    acceptInsecureCerts: true,
    userDataDir: profile,
    // Notifications belong to the browser, not to a page.
    args: ['-remote-allow-system-access'],
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB', ...prefs },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));

  const engine: Firefox = {
    problems,
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    reload: async () => void (await page.reload({ waitUntil: 'load' })),
    async click(find) {
      // Again where the element has just been drawn anew, which is noticed before the press.
      const attempt = async () => {
        await (await found(find)).click();
        return true;
      };
      const isDetached = (error: unknown) => String(error).includes('detached from document');
      await until(() =>
        attempt().catch((error) => {
          if (!isDetached(error)) throw error;
          return null;
        }),
      );
    },
    type: async (find, text) => (await found(find)).type(text),
    pick: async (find, path) => (await found(find)).uploadFile(path),
    evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
    toFront: () => page.bringToFront(),
    tabs: async () => (await browser.pages()).map((one) => one.url()),
    pressNotification: (title) => pressNotification(browser, title),
    close: () => browser.close(),
  };
  async function found(find: string) {
    await untilFound(engine, find);
    return elementOf(page, find);
  }
  return engine;
}

async function elementOf(page: Page, find: string): Promise<ElementHandle<HTMLInputElement>> {
  const handle = await page.evaluateHandle(find);
  const element = handle.asElement();
  if (!element) throw new Error(`The element is gone: ${find}`);
  return element as ElementHandle<HTMLInputElement>;
}

/** What Puppeteer uses itself, and does not offer: WebDriver BiDi with Firefox's own windows. */
interface Connection {
  send(
    method: 'browsingContext.getTree',
    options: { 'moz:scope': 'chrome' },
  ): Promise<{ result: { contexts: { context: string; url: string }[] } }>;
  send(
    method: 'script.evaluate',
    options: { target: { context: string }; expression: string; awaitPromise: false },
  ): Promise<{ result: { result?: { value?: unknown } } }>;
}

async function pressNotification(browser: Browser, title: string): Promise<void> {
  const { connection } = browser as unknown as { connection: Connection };
  // Before it is active, its window listens to no press.
  const press = `(() => {
    const isShown = globalThis.gIsActive
      && document.getElementById('alertTitleLabel').value === ${JSON.stringify(title)};
    if (isShown) document.getElementById('alertBox').click();
    return isShown;
  })()`;
  await until(
    async () => {
      const { contexts } = (
        await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' })
      ).result;
      for (const { context } of contexts.filter(({ url }) => url.endsWith('/alert.xhtml'))) {
        const options = { target: { context }, expression: press, awaitPromise: false } as const;
        // The window may close meanwhile.
        const answer = await connection.send('script.evaluate', options).catch(() => null);
        if (answer?.result.result?.value === true) return true;
      }
      return null;
    },
    { everyMs: 100 },
  );
}
