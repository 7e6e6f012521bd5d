import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core';
import { findFirefox } from '../../scripts/find-engines.mjs';
import { type Engine, untilFound } from './engine.ts';

/** Firefox without a window and with a new profile, driven by WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findFirefox(),
    headless: true,
    acceptInsecureCerts: true,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB' },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));

  const engine: Engine = {
    problems,
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    reload: async () => void (await page.reload({ waitUntil: 'load' })),
    click: async (find) => (await found(find)).click(),
    type: async (find, text) => (await found(find)).type(text),
    pick: async (find, path) => (await found(find)).uploadFile(path),
    evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
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
