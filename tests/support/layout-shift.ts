import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The budget of every route at every load. */
const SHIFT_MAX = 0.02;

export const WIDTHS = [360, 1280] as const;
export const viewportOf = (width: number) => ({ width, height: width < 600 ? 780 : 800 });

const WATCH = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join();
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const what = sources.map(({ node, previousRect, currentRect }) =>
        (node?.className || node?.nodeName) + ' ' + box(previousRect) + ' to ' + box(currentRect));
      if (!hadRecentInput) window.shifts.push({ value, what });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Notes from here on what moves on pages of this context without anybody's doing. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(WATCH);
}

/** Opens the page and fails if it moves until everything has come. */
export async function expectNoShift(page: Page, path: string, load: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // Spinners end before anything is judged; what then follows an answer has come after a second.
  await page.getByText('Loading capsules...').first().waitFor({ state: 'hidden' });
  await page.waitForTimeout(1_000);
  const shifts = await page.evaluate<{ value: number; what: string[] }[]>('window.shifts');
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  expect(sum, `${path}, ${load}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(SHIFT_MAX);
}

/** The network of a phone that Chromium's own tools call "Slow 4G". */
export async function onSlow4G(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 562.5,
    downloadThroughput: 180_000,
    uploadThroughput: 84_375,
  });
}
