import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { IN_PAGE, launchBrowser } from './browser.ts';
import { type SignedIn, signUp } from './client.ts';
import { createDevice, type Device } from './device.ts';
import type { FixtureFile } from './fixtures.ts';
import { largeVideo } from './fixtures.ts';
import { leftBehind, type Sealed, sealedBy, untilNothingIsLeftBehind } from './ledger.ts';
import { signInByForm, writeCapsule } from './screens.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';
import { until } from './until.ts';
import { startWire, type Wire } from './wire.ts';

export const KEPT = "Saved on this device. We'll send it as soon as there's a connection.";
/** A part of an upload. */
export const PART_BYTES = 4_194_304;

/** In how many parts a file goes on a connection that does not break. */
export const fewestParts = (bytes: number) => Math.ceil(bytes / PART_BYTES);

/** The same with one break: after it one chunk goes as 256 kB, 512 kB, 1 MiB, 2 MiB and the rest. */
export const mostParts = (bytes: number) => fewestParts(bytes) + 4;

/** What every proof stands on: a server, a breakable line to it, and a person of this test's own. */
interface ProofWorld {
  readonly server: TestServer;
  readonly wire: Wire;
  readonly ada: SignedIn;
  /** A browser window without a past. Only where the world was asked for one. */
  readonly visitor: Window;
  /** A browser with a profile on the disk. */
  device(): Promise<Device>;
  /** Closes the window and opens another, with other options. */
  reopen(options: BrowserContextOptions): Promise<Page>;
  /** What an earlier test that failed has left behind on the server. */
  readonly before: readonly string[];
  /** Somebody else on the same server. */
  person(name: string): Promise<SignedIn>;
}

interface Window {
  context: BrowserContext;
  page: Page;
}

interface ProofOptions extends TestServerOptions {
  /** Opens a window before each test. */
  window?: boolean;
}

/** Sets a world up for the tests of one file; each test gets its own line, person and window. */
export function proofWorld({ window = true, ...options }: ProofOptions = {}): ProofWorld {
  let server: TestServer | null = null;
  let browser: Browser | null = null;
  let wire: Wire | null = null;
  let visitor: Window | null = null;
  let ada: SignedIn | null = null;
  let devices: Device[] = [];
  let before: string[] = [];
  let people = 0;

  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startTestServer({ client: true, ...options }),
      window ? launchBrowser() : null,
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    const { url, deps } = given(server);
    people += 1;
    before = await leftBehind(deps);
    [ada, wire] = await Promise.all([signUp(url, `Ada ${people}`), startWire(url)]);
    if (browser) visitor = await openWindow(browser, wire.url);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      const contexts = [visitor?.context, ...devices.map(({ running }) => running?.context)];
      await Promise.all(contexts.map(describePages));
    }
    await visitor?.context.close();
    await Promise.all(devices.map((device) => device.remove()));
    devices = [];
    await wire?.close();
  });

  return {
    get server() {
      return given(server);
    },
    get wire() {
      return given(wire);
    },
    get ada() {
      return given(ada);
    },
    get visitor() {
      return given(visitor);
    },
    get before() {
      return before;
    },
    async device() {
      const device = await createDevice(given(wire).url);
      devices.push(device);
      return device;
    },
    async reopen(contextOptions) {
      await visitor?.context.close();
      visitor = await openWindow(given(browser), given(wire).url, contextOptions);
      return visitor.page;
    },
    person: (name) => signUp(given(server).url, `${name} ${people}`),
  };
}

/** A hang is a failure; that the machine is busy is none. */
const HANGS_MS = 60_000;

export async function openWindow(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Window> {
  const context = await browser.newContext({ baseURL: url, ...options });
  context.setDefaultTimeout(HANGS_MS);
  await context.addInitScript({ path: IN_PAGE });
  return { context, page: await context.newPage() };
}

const WORKERS = `navigator.serviceWorker?.getRegistration().then((one) =>
  JSON.stringify(['installing', 'waiting', 'active'].map((place) => [place, one?.[place]?.state])))`;

/** What a person would have seen when the test failed. */
export async function describePages(context: BrowserContext | undefined): Promise<void> {
  for (const page of context?.pages() ?? []) {
    const text = await page.evaluate<string>('document.body.innerText').catch(() => 'nothing');
    console.error(`${page.url()} showed: ${text.replace(/\s+/g, ' ').slice(0, 1_500)}`);
    const rows = await outboxRows(page).catch(() => []);
    console.error(`Its outbox: ${JSON.stringify(rows)}`);
    const workers = await page.evaluate<string>(WORKERS).catch(() => 'unknown');
    console.error(`Its workers: ${workers}`);
  }
}

function given<T>(value: T | null): T {
  if (value === null) throw new Error('The world is not set up yet.');
  return value;
}

/** Signed in, on the dashboard, with a worker that keeps the app. */
export async function arrive(page: Page, person: SignedIn): Promise<void> {
  await signInByForm(page, { email: person.user.email, password: person.password });
  await page.evaluate('navigator.serviceWorker?.ready.then(() => true)');
}

/** New drafts of this person stay on their devices: the only uploads are those of the queue. */
export async function keepDraftsHere(page: Page): Promise<void> {
  await page.goto('/profile/safety');
  await page.getByRole('switch', { name: /^New drafts stay/ }).check();
  await page.getByText('Drafts you have begun stay as they are.').waitFor();
  await page.goto('/dashboard');
}

/** Writes a capsule to oneself on the create screen; it is sealed until tomorrow. */
export function write(
  page: Page,
  person: SignedIn,
  title: string,
  files: FixtureFile[] = [],
): Promise<void> {
  const description = 'Written for a proof';
  const recipients = [person.user.name];
  return writeCapsule(page, { title, description, recipients, message: 'See you', files });
}

export function create(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Create Time Capsule' }).click();
}

export async function openOutbox(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Open outbox' }).first().click();
  await page.getByRole('heading', { name: 'Outbox', exact: true }).waitFor();
}

interface QueuedRow {
  id: string;
  state: string;
  attempts: number;
  /** Milliseconds since 1970, by the device's clock. */
  nextTryAt: number;
  mayHaveArrived: boolean;
  sentBytes: number;
}

/** The rows of the device's outbox. */
export function outboxRows(page: Page): Promise<QueuedRow[]> {
  return page.evaluate<QueuedRow[]>('readRows("outbox")');
}

interface CapsuleToQueue {
  userId: string;
  email: string;
  title: string;
  dateToUnlock: string;
  /** How long each file is to be; its bytes come from the seed. */
  fileBytes: number[];
  seed: number;
}

/** Puts a capsule into the outbox of an open page, without the create screen; `in-page.js` says how. @returns each file's SHA-256 */
export function queueCapsule(page: Page, capsule: CapsuleToQueue): Promise<string[]> {
  return page.evaluate<string[]>(`queueCapsule(${JSON.stringify(capsule)})`);
}

export async function untilOutboxIsEmpty(page: Page, seconds = 90): Promise<void> {
  let seen: unknown = 'nothing was seen';
  await until(
    async () => {
      try {
        const rows = await outboxRows(page);
        seen = JSON.stringify(rows);
        return rows.length === 0 ? true : null;
      } catch (error) {
        // The page was just loading itself anew.
        seen = error;
        return null;
      }
    },
    { seconds, everyMs: 200 },
  ).catch(() => {
    throw new Error(`Still in the outbox: ${seen}`);
  });
}

/** A connection that comes back again and again: what waits only for it is tried at once. */
export async function hurryUntilSent(page: Page): Promise<void> {
  await until(
    async () => {
      if ((await outboxRows(page)).length === 0) return true;
      await page.evaluate('dispatchEvent(new Event("online"))');
      return null;
    },
    { seconds: 300, everyMs: 250 },
  );
}

/**
 * The oracle of every proof: the server has exactly these capsules of this person, byte for byte,
 * and nothing else of theirs.
 */
export async function expectExactly(
  { server: { deps }, before }: Pick<ProofWorld, 'server' | 'before'>,
  { user }: SignedIn,
  expected: Sealed[],
  seconds = 60,
): Promise<void> {
  const byTitle = (one: Sealed, other: Sealed) => (one.title < other.title ? -1 : 1);
  const wanted = [...expected].sort(byTitle);
  const sealed = async () => (await sealedBy(deps, user.id)).sort(byTitle);
  // First, so that a capsule that is missing is named, not what it has left behind.
  await expect.poll(sealed, { timeout: seconds * 1_000, interval: 300 }).toEqual(wanted);
  await untilNothingIsLeftBehind(deps, before);
  expect(await sealed()).toEqual(wanted);
}

export async function video(length: number, name = 'Film.mp4'): Promise<FixtureFile> {
  const bytes = Buffer.concat(await largeVideo(length, name).toArray());
  return { name, type: 'video/mp4', bytes };
}

/** Somewhere a request waits until it is let through. */
export function gate() {
  let open = () => {};
  let arriveAt = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arriveAt = resolve;
  });
  return {
    reached,
    open,
    async pass() {
      arriveAt();
      await opened;
    },
  };
}

/** Seals what stands in the form, and holds the nth part of its upload until the gate is opened. */
export async function holdPart({ wire }: Pick<ProofWorld, 'wire'>, page: Page, nth: number) {
  const queued = gate();
  const held = gate();
  let parts = 0;
  wire.plan = async ({ method }) => {
    if (method !== 'PATCH') return null;
    // Until then it is the draft's own upload.
    await queued.pass();
    parts += 1;
    if (parts === nth) await held.pass();
    return null;
  };
  await create(page);
  await until(async () => (await outboxRows(page)).length > 0 || null);
  queued.open();
  await held.reached;
  return { open: held.open, parts: () => parts };
}

/** From here on each chunk of a file takes a while to be kept. */
export const SLOW_DISK = `{
  const { arrayBuffer } = Blob.prototype;
  Blob.prototype.arrayBuffer = async function slowly() {
    await new Promise((resolve) => setTimeout(resolve, 700));
    return arrayBuffer.apply(this);
  };
} undefined`;
