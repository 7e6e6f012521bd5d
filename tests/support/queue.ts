import type { Page } from 'playwright-core';
import { afterEach, beforeEach } from 'vitest';
import { MESSAGE_MAX } from '../../shared/limits.ts';
import type { Visitor } from './browser.ts';
import { type SignedIn, signUp } from './client.ts';
import { type FixtureFile, largeVideo } from './fixtures.ts';
import { type LossyProxy, startLossyProxy } from './lossy-proxy.ts';
import { signIn, writeCapsule } from './screens.ts';
import type { TestServer } from './server.ts';
import { sharedWorld, type World } from './world.ts';

export const KEPT = "Saved on this device. We'll send it as soon as there's a connection.";
/** The smallest part that is sent of a larger file. */
export const PART_BYTES = 4_194_304;

/** As where bytes cost something. */
const SAVE_DATA =
  "Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })";

/** A person at a device of their own, behind a proxy that loses what a test wants. New for each test. */
interface AtQueue {
  server: TestServer;
  open: World['open'];
  /** How many there have been, this one included. */
  people: number;
  ada: SignedIn;
  proxy: LossyProxy;
  visitor: Visitor;
  /** Signed in, on the dashboard, with a worker that keeps the app. */
  arrive(): Promise<Page>;
  write(page: Page, title: string, files?: FixtureFile[]): Promise<void>;
  create(page: Page): Promise<void>;
}

/** @param wholeBrowser with a worker that is woken where no page is open */
export function atQueue({ wholeBrowser = false } = {}): AtQueue {
  const { server, visit, open } = sharedWorld({ wholeBrowser });
  const at: Omit<AtQueue, 'ada' | 'proxy' | 'visitor'> & Partial<AtQueue> = {
    server,
    open,
    people: 0,
    async arrive() {
      const { page } = (at as AtQueue).visitor;
      const { user, password } = (at as AtQueue).ada;
      await signIn(page, { email: user.email, password });
      await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
      return page;
    },
    async write(page, title, files = []) {
      // These tests cut the sending of a capsule: its draft does not send a film ahead.
      if (files.some(({ bytes }) => bytes.length > PART_BYTES)) await page.evaluate(SAVE_DATA);
      const description = 'Written without a network';
      const recipients = [(at as AtQueue).ada.user.name];
      await writeCapsule(page, { title, description, recipients, message: 'See you', files });
    },
    create: (page) => page.getByRole('button', { name: 'Create Time Capsule' }).click(),
  };

  beforeEach(async () => {
    at.people += 1;
    const [ada, proxy] = await Promise.all([
      signUp(server.url, `Ada ${at.people}`),
      startLossyProxy(server.url),
    ]);
    Object.assign(at, { ada, proxy, visitor: await visit({ baseURL: proxy.url }) });
  });
  afterEach(async () => {
    await at.visitor?.close();
    await at.proxy?.close();
  });
  return at as AtQueue;
}

/** As a phone's system does when photos are shared with the app. */
export async function share(
  page: Page,
  files: FixtureFile[],
  { address = '/share', length = MESSAGE_MAX + 10_000 } = {},
): Promise<void> {
  await page.evaluate(shareForm(address, length));
  const payloads = files.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes }));
  await page.locator('#shared').setInputFiles(payloads);
  await page.evaluate('document.querySelector("#shared").form.submit()');
}

/** A form as the manifest names it for shares. */
const shareForm = (address: string, length: number) => `
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: '${address}', enctype: 'multipart/form-data' });
  const field = (name, type, value) =>
    form.append(Object.assign(document.createElement('input'), { name, type, ...value }));
  field('title', 'text', { value: 'At the lake' });
  field('text', 'text', { value: 'w'.repeat(${length}) });
  field('files', 'file', { id: 'shared', multiple: true });
  document.body.append(form);
  undefined;
`;

export async function video(length: number): Promise<FixtureFile> {
  const bytes = Buffer.concat(await largeVideo(length).toArray());
  return { name: 'Film.mp4', type: 'video/mp4', bytes };
}

/** Somewhere a request waits until it is let through. */
export function gate() {
  let open = () => {};
  let arrive = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    reached,
    open,
    pass: async () => {
      arrive();
      await opened;
    },
  };
}

/** The calls that seal, of all that this proxy has seen. */
export function sealingRequests({ requests }: LossyProxy): string[] {
  return requests.filter((line) => line === 'POST /api/capsules');
}

export async function untilOutboxIsEmpty(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Outbox/ }).waitFor({ state: 'detached' });
}
