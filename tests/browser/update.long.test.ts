import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVisitor, type Visitor } from '../support/browser.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { largeVideo } from '../support/fixtures.ts';
import { type Fate, type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { signIn, writeCapsule } from '../support/screens.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { makeTwoBuilds, NEWER, type TwoBuilds } from '../support/two-builds.ts';
import { keptBrowser } from '../support/world.ts';

const OFFER = 'A new version is ready.';
const IN_ANOTHER_TAB = 'The app was updated in another tab.';

const WAITING_FOR_COPY = 'Copying your files to this device…';

/** No chunk of a file is kept from here on, until `letGo` is called. */
const HELD_DISK = `{
  const { arrayBuffer } = Blob.prototype;
  const held = new Promise((resolve) => {
    globalThis.letGo = resolve;
  });
  Blob.prototype.arrayBuffer = async function later() {
    await held;
    return arrayBuffer.apply(this);
  };
} undefined`;

describe('a new version of the app', { timeout: 120_000 }, () => {
  let builds: TwoBuilds;
  let server: TestServer;
  let proxy: LossyProxy;
  let visitor: Visitor;
  let page: Page;
  let ada: SignedIn;
  let people = 0;

  beforeEach(async () => {
    people += 1;
    builds = await makeTwoBuilds();
    server = await startTestServer({ client: true, staticFiles: builds.staticFiles });
    [ada, proxy] = await Promise.all([
      signUp(server.url, `Ada ${people}`),
      startLossyProxy(server.url),
    ]);
    visitor = await openVisitor(await keptBrowser(), proxy.url);
    // A new worker keeps all of the app before it is ready.
    visitor.context.setDefaultTimeout(40_000);
    page = visitor.page;
    await signIn(page, { email: ada.user.email, password: ada.password });
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.waitForFunction('navigator.serviceWorker.controller !== null');
  });
  afterEach(async () => {
    await visitor.close();
    await proxy.close();
    await server.close();
    await builds.remove();
  });

  /** The server has it, and this page's hourly look has found it. */
  async function publish(): Promise<void> {
    builds.publish();
    await lookForVersion();
  }

  async function lookForVersion(): Promise<void> {
    await page.evaluate(
      'navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => true)',
    );
    await page.getByText(OFFER).waitFor();
  }

  function accept(on: Page): Promise<void> {
    return on.getByRole('button', { name: 'Update', exact: true }).click();
  }

  function untilNewer(on: Page): Promise<void> {
    return on.locator(NEWER).waitFor({ state: 'attached' });
  }

  it('waits for the person, and loses not a letter of what they typed', async () => {
    await page.getByRole('link', { name: 'Create New Capsule' }).click();
    await page.getByLabel('Capsule Title').waitFor();
    await publish();
    expect(await page.locator(NEWER).count()).toBe(0);
    await page.getByLabel('Capsule Title').fill('Typed at the last moment');
    await accept(page);
    await untilNewer(page);
    const title = page.getByLabel('Capsule Title');
    await title.waitFor();
    expect(await title.inputValue()).toBe('Typed at the last moment');
    expect(visitor.problems).toEqual([]);
  });

  it('waits until what is being sent has left', async () => {
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    proxy.decide = async (method, path): Promise<Fate> => {
      if (`${method} ${path}` === 'POST /api/capsules') await held;
      return 'pass';
    };
    const content = { title: 'On its way', description: 'Not cut', message: 'See you' };
    await writeCapsule(page, { ...content, recipients: [ada.user.name], files: [] });
    const other = await visitor.context.newPage();
    await other.goto('/dashboard');
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByRole('button', { name: /%/ }).first().waitFor();
    await publish();
    await accept(page);
    await page.getByText('as soon as everything here is saved.').waitFor();
    expect(await page.locator(NEWER).count()).toBe(0);
    letThrough();
    await untilNewer(page);
    await page.goto('/dashboard');
    await page.getByRole('tab', { name: 'My Capsules (1)' }).waitFor();
    expect(proxy.requests.filter((line) => line === 'POST /api/capsules')).toHaveLength(1);
  });

  it('another tab stays as it is, and starts anew where it misses a part that is gone', async () => {
    const other = await visitor.context.newPage();
    await other.goto('/create');
    await other.getByLabel('Capsule Title').waitFor();
    await publish();
    await accept(page);
    await untilNewer(page);
    await other.getByText(IN_ANOTHER_TAB).waitFor();
    expect(await other.getByText(OFFER).count()).toBe(0);
    expect(await other.locator(NEWER).count()).toBe(0);
    await other.getByLabel('Capsule Title').fill('Typed in the older version');
    // Nor has the browser's own cache kept it.
    const devtools = await visitor.context.newCDPSession(other);
    await devtools.send('Network.clearBrowserCache');
    await other.getByRole('contentinfo').getByRole('link', { name: 'Help Center' }).click();
    await other.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await other.getByRole('main').getByRole('button', { name: 'Reload' }).click();
    await untilNewer(other);
    await other.getByRole('heading', { name: 'Help Center' }).waitFor();
    await other.goBack();
    await other.getByLabel('Capsule Title').waitFor();
    expect(await other.getByLabel('Capsule Title').inputValue()).toBe('Typed in the older version');
  });

  it('offers each later version, whatever became of the offer before', async () => {
    await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();
    const wave = async () => {
      await page.getByRole('button', { name: `Dismiss: ${OFFER}` }).click();
      await page.getByText(OFFER).waitFor({ state: 'detached' });
    };
    await publish();
    await wave();
    builds.withdraw();
    await lookForVersion();
    await wave();
    await publish();
    await accept(page);
    await untilNewer(page);
  });

  it('says what it waits for, and tears nobody from a dialog', async () => {
    await page.goto('/create');
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.evaluate(HELD_DISK);
    const bytes = Buffer.concat(await largeVideo(3_000_000).toArray());
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'Film.mp4', mimeType: 'video/mp4', buffer: bytes });
    await page.getByText(WAITING_FOR_COPY).waitFor();
    await publish();
    await accept(page);
    await page.getByText('as soon as everything here is saved.').waitFor();
    await page.getByRole('button', { name: 'Select Recipients' }).click();
    const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
    await dialog.waitFor();
    await page.evaluate('letGo()');
    await page.getByText(WAITING_FOR_COPY).waitFor({ state: 'detached' });
    // Longer than a page without a dialog takes to begin anew.
    await delay(4_000);
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await untilNewer(page);
    await page.getByText('1 File(s) Selected').waitFor();
  });

  it('another tab starts anew when its person says so', async () => {
    const other = await visitor.context.newPage();
    await other.goto('/create');
    await other.getByLabel('Capsule Title').waitFor();
    await publish();
    await accept(page);
    await other.getByText(IN_ANOTHER_TAB).waitFor();
    await other.getByLabel('Capsule Title').fill('Typed before the click');
    await other.getByRole('button', { name: 'Select Recipients' }).click();
    const dialog = other.getByRole('dialog', { name: 'Select Recipients' });
    await dialog.getByRole('button', { name: 'Reload' }).click();
    await dialog.getByText('as soon as everything here is saved.').waitFor();
    await other.keyboard.press('Escape');
    await untilNewer(other);
    await other.getByLabel('Capsule Title').waitFor();
    expect(await other.getByLabel('Capsule Title').inputValue()).toBe('Typed before the click');
  });
});
