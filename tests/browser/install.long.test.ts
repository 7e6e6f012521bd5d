import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { manifest } from '../../client/manifest.ts';
import { launchProfile, type Visitor } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { createCapsule, signIn, writeCapsule } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const OFFER = 'Add Time Capsule to your home screen';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const CHROME_ON_IPHONE = IPHONE.replace('Version/18.5', 'CriOS/140.0.0.0');

/** Chromium's own question, which a browser without a window does not ask: all but its asking is real. */
const BROWSER_OFFERS = `
  globalThis.asked = 0;
  addEventListener('load', () => {
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    offer.prompt = async () => { globalThis.asked += 1; };
    globalThis.heldBack = !dispatchEvent(offer);
  });
`;
const ON_IOS = `Object.defineProperty(Navigator.prototype, 'standalone', { get: () => false });`;

describe('the app on a home screen', () => {
  const { server, visit } = sharedWorld();
  let people = 0;

  async function someone(): Promise<SignedIn> {
    people += 1;
    return signUp(server.url, `Ada ${people}`);
  }

  async function arrive(person: SignedIn, script: string, userAgent?: string): Promise<Visitor> {
    const visitor = await visit(userAgent ? { userAgent } : {});
    await visitor.context.addInitScript(script);
    await signIn(visitor.page, { email: person.user.email, password: person.password });
    return visitor;
  }

  async function comeBack(page: Page): Promise<void> {
    await page.goto('/dashboard');
    await page.getByRole('article').first().waitFor();
    await expect.poll(() => page.evaluate('globalThis.heldBack')).toBe(true);
  }

  it('Chromium finds nothing that keeps it from being installed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'time-capsule-profile-'));
    let context: BrowserContext | null = null;
    try {
      context = await launchProfile(folder);
      const page = await context.newPage();
      await page.goto(server.url);
      await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
      const devtools = await context.newCDPSession(page);
      const { errors, data } = await devtools.send('Page.getAppManifest');
      expect(errors).toEqual([]);
      expect(JSON.parse(data ?? '{}')).toMatchObject({ id: '/', display: 'standalone' });
      const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
      expect(installabilityErrors).toEqual([]);
    } finally {
      await context?.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('every address that the manifest names is there', async () => {
    const { icons = [] } = manifest;
    for (const { src, type = 'image/png' } of icons) {
      const found = await fetch(server.url + src);
      expect([src, found.status, found.headers.get('content-type')]).toEqual([src, 200, type]);
    }
  });

  it('is offered once a capsule is sealed, asks as the browser asks, and only once', async () => {
    const ada = await someone();
    const { page, problems } = await arrive(ada, BROWSER_OFFERS);
    await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
    expect(await page.evaluate('heldBack')).toBe(true);
    expect(await page.getByText(OFFER).count()).toBe(0);
    const content = { title: 'The first', description: 'Of worth', message: 'See you' };
    await createCapsule(page, { ...content, recipients: [ada.user.name], files: [] });
    await page.getByText(OFFER).waitFor();
    await page.getByRole('button', { name: 'Install the app' }).click();
    await page.getByText(OFFER).waitFor({ state: 'hidden' });
    expect(await page.evaluate('asked')).toBe(1);
    await comeBack(page);
    expect(await page.getByText(OFFER).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('is not offered again on this device once it was declined', async () => {
    const ada = await someone();
    await seal(ada, ada);
    const { page } = await arrive(ada, BROWSER_OFFERS);
    await page.getByText(OFFER).waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByText(OFFER).waitFor({ state: 'hidden' });
    await page.locator('h1:focus').waitFor();
    await comeBack(page);
    expect(await page.getByText(OFFER).count()).toBe(0);
    // A version of before noted when.
    const before = JSON.stringify({ visits: 2, lastVisitAt: 1, dismissedAt: 1 });
    await page.evaluate(`localStorage.setItem('install-offer', '${before}')`);
    await comeBack(page);
    expect(await page.getByText(OFFER).count()).toBe(0);

    // Whoever looks for it finds it.
    await page.goto('/profile/emails');
    await page.getByRole('button', { name: 'Install the app' }).click();
    expect(await page.evaluate('asked')).toBe(1);
  });

  it('is not offered where it is installed', async () => {
    const ada = await someone();
    await seal(ada, ada);
    const { page } = await arrive(ada, BROWSER_OFFERS);
    await page.getByRole('article').first().waitFor();
    await page.getByText(OFFER).waitFor();
    await page.evaluate(`dispatchEvent(new Event('appinstalled'))`);
    await page.getByText(OFFER).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: 'Your profile' }).click();
    await page.getByText('Your data').waitFor();
    expect(await page.getByText('On this device', { exact: true }).count()).toBe(0);
  });

  it('on an iPhone a sheet tells how and why, in Safari alone', async () => {
    const ada = await someone();
    await seal(ada, ada);
    const { page, close } = await arrive(ada, ON_IOS, IPHONE);
    await page.getByRole('article').first().waitFor();
    await page.getByRole('button', { name: 'Show me how' }).click();
    const sheet = page.getByRole('dialog', { name: 'Add to your Home Screen' });
    await sheet.getByText('seven days').waitFor();
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.getByText(OFFER).waitFor({ state: 'hidden' });
    await close();

    const other = await arrive(ada, ON_IOS, CHROME_ON_IPHONE);
    await other.page.getByRole('tab', { name: 'My Capsules (1)' }).waitFor();
    expect(await other.page.getByText(OFFER).count()).toBe(0);
    await other.close();
  });

  it('a browser that sends only while it is open says so', async () => {
    const ada = await someone();
    const { page, context } = await arrive(ada, 'delete ServiceWorkerRegistration.prototype.sync');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await context.setOffline(true);
    const content = { title: 'Later', description: 'Waiting', message: 'See you' };
    await page.getByRole('link', { name: 'Create New Capsule' }).waitFor();

    await writeCapsule(page, { ...content, recipients: [ada.user.name], files: [] });
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByText('Keep this screen open while we send them').waitFor();
  });
});
