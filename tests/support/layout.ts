import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';

const IN_PAGE = fileURLToPath(new URL('in-page-layout.js', import.meta.url));

/** Lets the layout of every page of this context be judged. */
export async function judgeLayouts(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: IN_PAGE });
}

/** One line for everything that cannot be read or used at this width, zoom or direction. */
export function lostThings(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('findLost()');
}

/** One line for each word of at most `longest` letters that is cut into two lines. */
export function brokenWords(page: Page, longest: number): Promise<string[]> {
  return page.evaluate<string[]>(`findBrokenWords(${longest})`);
}

/** One line for each control whose focus cannot be seen. */
export async function unseenFocus(page: Page): Promise<string[]> {
  await page.keyboard.press('F2');
  return page.evaluate<string[]>('findUnseenFocus()');
}

/**
 * One line for each control that a finger on a phone may miss, because a press counts on less than
 * `least` pixels. Links in sentences are as high as their line, and the parts of a typed date and
 * the places of a crowded row have the smaller measure of {@link smallTargets} alone.
 */
export async function crampedTargets(page: Page, least: number): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (enabled: boolean) =>
    devtools.send('Emulation.setTouchEmulationEnabled', { enabled });
  await touch(true);
  try {
    return await page.evaluate<string[]>(`findCramped(${least})`);
  } finally {
    await touch(false);
    await devtools.detach();
  }
}

/** One line for each control that is smaller than `least` pixels. */
export function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate<string[]>(`findSmallTargets(${least})`);
}
