import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { launchBrowser, launchHeadlessShell, openVisitor, type Visitor } from './browser.ts';
import { sharedServer, type TestServer, type TestServerOptions } from './server.ts';

/** A server with its built client, and visitors who look at it, for the tests of one file. */
export interface World {
  server: TestServer;
  /** A new visitor; closed with the test that opened it, or with the file. */
  visit(options?: VisitOptions, recording?: { isRecorded: boolean }): Promise<Visitor>;
  /** A visitor without a service worker: every call is the page's own, and can be broken. */
  open(options?: VisitOptions): Promise<Visitor>;
}

interface WhichBrowser {
  /** The whole browser, for what the headless shell does not have. */
  wholeBrowser?: boolean;
}

/** Of one visitor, whatever the others of the world have. */
export type VisitOptions = BrowserContextOptions & WhichBrowser;

type WorldOptions = TestServerOptions & WhichBrowser;

export function sharedWorld({ wholeBrowser = false, ...options }: WorldOptions = {}): World {
  const server = sharedServer({ client: true, ...options });
  const ofFile: Visitor[] = [];
  let ofTest: Visitor[] | null = null;
  const closeAll = (visitors: Visitor[]) =>
    Promise.all(visitors.splice(0).map((visitor) => visitor.close()));

  beforeEach(() => {
    ofTest = [];
  });
  afterEach(async () => {
    await closeAll(ofTest ?? []);
    ofTest = null;
  });
  afterAll(() => closeAll(ofFile));

  async function visit(
    { wholeBrowser: isWhole = wholeBrowser, ...context }: VisitOptions = {},
    recording = { isRecorded: false },
  ) {
    const visitor = await openVisitor(await keptBrowser(isWhole), server.url, context, recording);
    (ofTest ?? ofFile).push(visitor);
    return visitor;
  }
  return {
    server,
    visit,
    open: async (context) => {
      const visitor = await visit({ serviceWorkers: 'block', ...context });
      // The browser hands out calls from its start on: told so only by a test's first route, it may
      // let the call slip by that a click right after it makes (microsoft/playwright#41802).
      await visitor.context.route(
        () => false,
        (route) => route.fallback(),
      );
      return visitor;
    },
  };
}

const kept = new Map<boolean, Promise<Browser>>();

/** One browser for all files of a worker: it ends with the worker, as Playwright's browsers do. */
export function keptBrowser(isWhole = false): Promise<Browser> {
  const browser = kept.get(isWhole) ?? (isWhole ? launchBrowser() : launchHeadlessShell());
  kept.set(isWhole, browser);
  return browser;
}
