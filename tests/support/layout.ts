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

/** One line for each control whose focus cannot be seen. */
export async function unseenFocus(page: Page): Promise<string[]> {
  await page.keyboard.press('F2');
  return page.evaluate<string[]>('findUnseenFocus()');
}

/** One line for each control that is smaller than `least` pixels. */
export function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate<string[]>(`findSmallTargets(${least})`);
}
