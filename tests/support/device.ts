import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { findBrowser } from '../../scripts/find/find-browser.mjs';
import { isAlive } from '../../server/embedded-postgres/index.ts';
import { FLAGS, IN_PAGE } from './browser.ts';
import { until } from './until.ts';

/** Chromium waits five minutes before it wakes a worker again; three seconds prove the same. */
const QUICK_SYNC = [
  '--force-fieldtrials=BackgroundSync/Proof',
  '--force-fieldtrial-params=BackgroundSync.Proof:initial_retry_delay_sec/3/retry_delay_factor/1/max_sync_attempts/20',
];

/** A browser with a profile on the disk, which outlives its process, as a phone's does. */
export interface Device {
  /** What was started last. */
  readonly running: Running | null;
  /** Starts the browser with what is on the disk; one blank page is open then. */
  start(options?: BrowserContextOptions): Promise<Running>;
  /** Ends what runs and forgets the profile. */
  remove(): Promise<void>;
}

export interface Running {
  context: BrowserContext;
  /** The blank page it starts with. */
  page: Page;
  /** SIGKILL, to all of it at once: nothing is written any more. */
  kill(): Promise<void>;
  /** As a person closes it: everything is written. */
  close(): Promise<void>;
}

export async function createDevice(url: string): Promise<Device> {
  const profile = await mkdtemp(join(tmpdir(), 'time-capsule-device-'));
  let running: Running | null = null;
  return {
    get running() {
      return running;
    },
    async start(options = {}) {
      await running?.close();
      running = await launch(profile, url, options);
      return running;
    },
    async remove() {
      await running?.kill();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function launch(
  profile: string,
  url: string,
  options: BrowserContextOptions,
): Promise<Running> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    args: [...FLAGS, ...QUICK_SYNC],
    baseURL: url,
    ...options,
  });
  // A hang is a failure; that the machine is busy is none.
  context.setDefaultTimeout(60_000);
  await context.addInitScript({ path: IN_PAGE });
  const pid = browserProcess(profile);
  const [first] = context.pages();
  return {
    context,
    page: first ?? (await context.newPage()),
    async kill() {
      if (!isAlive(pid)) return;
      // Playwright starts the browser as the head of a group of its own, helpers included.
      process.kill(-pid, 'SIGKILL');
      await until(() => (isAlive(pid) ? null : true));
      // Playwright learns of it by itself; its own end must not be waited for by a test.
      await context.close().catch(() => undefined);
    },
    close: () => context.close(),
  };
}

/** The browser's own process, not one of its helpers. */
function browserProcess(profile: string): number {
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' });
  const line = listed
    .split('\n')
    .find((text) => text.includes(`--user-data-dir=${profile}`) && !text.includes('--type='));
  const pid = Number.parseInt(line ?? '', 10);
  if (!Number.isInteger(pid)) throw new Error('The browser that was started cannot be found.');
  return pid;
}
