import type { Page, Route } from 'playwright-core';

/** What a broken call gets: no answer at all, or one with this status and body. */
export type Breakage = 'cut' | { status: number; body?: unknown };

/** An answer of a proxy, which knows nothing of the app's error bodies. */
export const PROXY_ERROR: Breakage = { status: 502, body: '<h1>Bad gateway</h1>' };

/** Breaks every call of this path while `work` runs; what is on its way there stays the browser's. */
export async function whileBroken(
  page: Page,
  path: string,
  breakage: Breakage,
  work: () => Promise<void>,
): Promise<void> {
  await withRoute(page, path, (route) => breakRoute(route, breakage), work);
}

/** Breaks every call of this path from here on; a page of the same address still opens. */
export function breakCalls(page: Page, path: string, breakage: Breakage): Promise<void> {
  return onCalls(page, path, (route) => breakRoute(route, breakage));
}

/** No call of this path is ever answered from here on. */
export function holdCalls(page: Page, path: string): Promise<void> {
  return onCalls(page, path, async () => undefined);
}

async function onCalls(page: Page, path: string, answer: (route: Route) => Promise<void>) {
  await page.route(
    (url) => url.pathname === path,
    (route) => (route.request().isNavigationRequest() ? route.fallback() : answer(route)),
  );
}

/** Holds the calls of this path back until `work` is done. */
export async function whileHeld(page: Page, path: string, work: () => Promise<void>) {
  const held: Route[] = [];
  const hold = async (route: Route) => void held.push(route);
  await withRoute(page, path, hold, async () => {
    await work();
    await Promise.all(held.map((route) => route.continue()));
  });
}

async function withRoute(
  page: Page,
  path: string,
  handler: (route: Route) => Promise<void>,
  work: () => Promise<void>,
) {
  const matches = (url: URL) => url.pathname === path;
  await page.route(matches, handler);
  try {
    await work();
  } finally {
    await page.unroute(matches, handler);
  }
}

async function breakRoute(route: Route, breakage: Breakage): Promise<void> {
  if (breakage === 'cut') return route.abort('connectionfailed');
  const { status, body } = breakage;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
  const contentType = typeof body === 'string' ? 'text/html' : 'application/json';
  return route.fulfill({ status, contentType, body: text });
}
