import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchBrowser, openVisitor, type Visitor } from './browser.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

/** A server with its built client, and a browser to look at it. */
export interface World {
  server: TestServer;
  browser: Browser;
  /**
   * A visitor whose every call can be broken: without a service worker, which
   * would make some of them itself.
   */
  open(options?: BrowserContextOptions): Promise<Visitor>;
  close(): Promise<void>;
}

export async function startWorld(options: TestServerOptions = {}): Promise<World> {
  const [server, browser] = await Promise.all([
    startTestServer({ client: true, ...options }),
    launchBrowser(),
  ]);
  return {
    server,
    browser,
    open: (context) => openVisitor(browser, server.url, { serviceWorkers: 'block', ...context }),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
