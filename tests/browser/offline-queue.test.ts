import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq, isNull } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drafts, sessions, uploads } from '../../server/db/schema.ts';
import { countUploads } from '../../server/db/storage/uploads.ts';
import { MESSAGE_MAX } from '../../shared/limits.ts';
import { watchAppended } from '../support/appended.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { lookAtMoments, type Visitor } from '../support/browser.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { backOnline } from '../support/dispatch-sync.ts';
import { type FixtureFile, largeVideo, pdf, photo, sha256 } from '../support/fixtures.ts';
import { sealedBy, untilSealed } from '../support/ledger.ts';
import { type Fate, type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { SAVED, signIn, writeCapsule } from '../support/screens.ts';
import type { TestServer } from '../support/server.ts';
import { sharedWorld } from '../support/world.ts';

const KEPT = "Saved on this device. We'll send it as soon as there's a connection.";
const CREATED = 'Time capsule created successfully!';
/** The smallest part that is sent of a larger file. */
const PART_BYTES = 4_194_304;

/** Links of the header in more than one line, or beyond the edge: the outbox is one more than usual. */
const BROKEN_LINKS = `[...document.querySelectorAll('header a')]
  .filter((link) => link.offsetHeight > 48 || link.getBoundingClientRect().right > innerWidth)
  .map((link) => link.textContent)`;

/** The oracle is always the server: exactly one capsule, every byte of its files. */
describe('the queue', () => {
  const { server, visit, open } = sharedWorld({ wholeBrowser: true });
  let proxy: LossyProxy;
  let visitor: Visitor;
  let ada: SignedIn;
  let people = 0;

  beforeEach(async () => {
    people += 1;
    [ada, proxy] = await Promise.all([
      signUp(server.url, `Ada ${people}`),
      startLossyProxy(server.url),
    ]);
    visitor = await visit({ baseURL: proxy.url });
  });
  afterEach(async () => {
    await visitor.close();
    await proxy.close();
  });

  /** Signed in, on the dashboard, with a worker that keeps the app. */
  async function arrive(person = ada): Promise<Page> {
    const { page } = visitor;
    await signIn(page, { email: person.user.email, password: person.password });
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    return page;
  }

  async function write(page: Page, title: string, files: FixtureFile[] = []): Promise<void> {
    const description = 'Written without a network';
    const recipients = [ada.user.name];
    await writeCapsule(page, { title, description, recipients, message: 'See you', files });
  }

  function create(page: Page): Promise<void> {
    return page.getByRole('button', { name: 'Create Time Capsule' }).click();
  }

  it('a capsule sealed offline leaves with the page closed, once, every byte of it', async () => {
    const page = await arrive();
    const file = await photo();
    const figures = page.getByRole('region', { name: 'Summary' });
    // Offline the page would not know that there is nothing to count.
    const counted = page.waitForResponse((answer) => answer.url().includes('/dashboard-summary'));
    await page.reload();
    await counted;
    await expect.poll(() => figures.count()).toBe(0);
    await visitor.context.setOffline(true);
    await write(page, 'From the train', [file]);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await page.waitForURL('/dashboard');
    const card = page.getByRole('article').filter({ hasText: 'From the train' });
    await card.getByText('Waiting for a connection').waitFor();
    // The figures count nothing yet.
    await expect.poll(() => figures.count()).toBe(0);
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByRole('heading', { level: 1, name: 'Outbox' }).waitFor();
    await page.getByRole('heading', { name: 'From the train' }).waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    for (const width of [720, 768, 799, 800, 820, 899, 900]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await page.evaluate(BROKEN_LINKS), `${width} px`).toEqual([]);
    }
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    // What waits here is counted by no list.
    await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();

    await page.close();
    expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);
    await backOnline(visitor.context, proxy.url);
    const sealed = await untilSealed(server.deps, ada.user.id);
    expect(sealed).toEqual([{ title: 'From the train', files: [sha256(file.bytes)] }]);

    const next = await visitor.context.newPage();
    await next.goto('/dashboard');
    await next.getByRole('tab', { name: 'My Capsules (1)' }).waitFor();
    await untilOutboxIsEmpty(next);
    expect(sealingRequests(proxy)).toHaveLength(1);
  });

  it('without Background Sync it leaves when the app is opened again', async () => {
    await visitor.context.addInitScript('delete ServiceWorkerRegistration.prototype.sync');
    const page = await arrive();
    await write(page, 'No sync here');
    await visitor.context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await page.close();
    await visitor.context.setOffline(false);
    expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);

    const next = await visitor.context.newPage();
    await next.goto('/');
    expect(await untilSealed(server.deps, ada.user.id)).toEqual([
      { title: 'No sync here', files: [] },
    ]);
    await next.getByText('“No sync here” has been sealed.').waitFor();
  });

  it('an answer lost after the capsule was made does not make a second one', async () => {
    const page = await arrive();
    lookAtMoments(page);
    const file = await photo();
    await write(page, 'Said once', [file]);
    let lost = 0;
    let isAsked = false;
    const next = gate();
    const answer = gate();
    proxy.decide = async (method, path) => {
      if (method === 'POST' && path === '/api/capsules') {
        if (isAsked) await answer.pass();
        else lost += 1;
        return isAsked ? 'pass' : 'lose-answer';
      }
      // It must not be found out before the person asks: each try begins with this call.
      if (lost > 0 && path === '/user/me') await next.pass();
      return 'pass';
    };
    await create(page);
    await page.getByText(KEPT).waitFor();
    await untilSealed(server.deps, ada.user.id);
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByRole('button', { name: 'Edit Said once' }).click();
    await page.getByText('Tap Try now to check').waitFor();
    await page.getByRole('button', { name: 'Try now' }).click();
    isAsked = true;
    next.open();
    // While the answer may come at any moment there is nothing to find out.
    await page.getByText('Sending…').waitFor();
    await page.getByRole('button', { name: 'Edit Said once' }).click();
    await page.getByText('This capsule is being sent right now.').waitFor();
    answer.open();
    await page.getByText('Nothing is waiting.').waitFor();
    // The seal closes, and then the focus goes back. The button that was pressed is gone with its capsule.
    await page.getByRole('heading', { name: /^Sealed until/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');

    expect(await sealedBy(server.deps, ada.user.id)).toEqual([
      { title: 'Said once', files: [sha256(file.bytes)] },
    ]);
    // Chromium itself repeats a request whose connection was cut before a word came back.
    expect(lost).toBeGreaterThan(0);
    // What only asks whether it has arrived brings no files. The draft may have brought it once.
    const parts = proxy.requests.filter((line) => line.startsWith('PATCH /api/uploads'));
    expect(parts.length).toBeLessThanOrEqual(1);
  });

  /** What live regions have said of how far something is. */
  async function spokenPercents(page: Page): Promise<string[]> {
    const spoken = await page.evaluate<string[]>('spoken');
    return spoken.filter((text) => text.includes('%'));
  }

  it('a large video cut in the middle goes on from there', async () => {
    const page = await arrive();
    const file = await video(24_000_000);
    await write(page, 'The film', [file]);
    const places = watchAppended(server.deps.files);
    let parts = 0;
    const third = gate();
    proxy.decide = async (method): Promise<Fate> => {
      if (method !== 'PATCH') return 'pass';
      parts += 1;
      if (parts === 3) await third.pass();
      return 'pass';
    };
    await page.evaluate('recordSpoken()');
    await create(page);
    await third.reached;
    await page.getByRole('button', { name: /^Uploading\.\.\. \d+%$/ }).waitFor();
    // 8 MiB of 24 MB have arrived, and more may have left: quarters are spoken of.
    await expect.poll(() => spokenPercents(page)).not.toEqual([]);
    await visitor.context.setOffline(true);
    await page.getByText(KEPT).waitFor();
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByRole('article', { name: 'The film' }).waitFor();
    third.open();
    await visitor.context.setOffline(false);
    expect(await untilSealed(server.deps, ada.user.id)).toEqual([
      { title: 'The film', files: [sha256(file.bytes)] },
    ]);
    const spoken = await spokenPercents(page);
    expect(spoken.filter((text) => !/^Uploading (25|50|75|100)%$/.test(text))).toEqual([]);
    // Only the part that was under way went again, in smaller ones at first.
    expect(parts).toBeLessThanOrEqual(Math.ceil(file.bytes.length / PART_BYTES) + 5);
    expect(places().filter((at) => at === 0)).toHaveLength(1);
  });

  /** What the bytes of the first kept chunk are. */
  function kindOfChunk(page: Page): Promise<string | undefined> {
    return page.evaluate<string | undefined>(
      `readRows('chunks').then((rows) => rows[0]?.bytes.constructor.name)`,
    );
  }

  const NO_BRANDS = `Object.defineProperty(Navigator.prototype, 'userAgentData', { value: undefined })`;

  it.each([
    ['slices that the browser copies', '', 'Blob'],
    ['buffers where it does not say that it does', NO_BRANDS, 'ArrayBuffer'],
  ])('a film is kept as %s, and every byte of it arrives', async (_how, script, kind) => {
    await visitor.context.addInitScript(script);
    const page = await arrive();
    const file = await video(17_000_000);
    await write(page, 'Kept', [file]);
    await expect.poll(() => kindOfChunk(page)).toBe(kind);
    await create(page);
    expect(await untilSealed(server.deps, ada.user.id)).toEqual([
      { title: 'Kept', files: [sha256(file.bytes)] },
    ]);
  });

  it('what is discarded without a connection is given up at the server as soon as there is one', async () => {
    const page = await arrive();
    await write(page, 'Second thoughts', [await video(24_000_000)]);
    let parts = 0;
    const second = gate();
    proxy.decide = async (method): Promise<Fate> => {
      if (method === 'PATCH') parts += 1;
      if (method === 'PATCH' && parts === 2) await second.pass();
      return 'pass';
    };
    await create(page);
    await second.reached;
    await visitor.context.setOffline(true);
    await page.getByText(KEPT).waitFor();
    second.open();
    await page.getByRole('link', { name: 'Open outbox' }).click();
    await page.getByRole('button', { name: 'Discard Second thoughts' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
    await page.getByText('Nothing is waiting.').waitFor();
    expect(await countUploads(server.deps.db, { userId: ada.user.id })).toBeGreaterThan(0);
    await visitor.context.setOffline(false);
    await expect.poll(() => wantedUploads(ada)).toEqual([]);
    expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);
  });

  /** Those of a discarded draft of the account are kept for a week, in case that it comes back. */
  async function wantedUploads({ user }: SignedIn): Promise<unknown[]> {
    const isOfDraft = and(eq(drafts.id, uploads.draftId), eq(drafts.userId, uploads.userId));
    return server.deps.db
      .select({ id: uploads.id })
      .from(uploads)
      .leftJoin(drafts, isOfDraft)
      .where(and(eq(uploads.userId, user.id), isNull(drafts.gone)));
  }

  it('a session that ends in the middle is taken up after the next sign-in', async () => {
    const page = await arrive();
    const file = await video(22_000_000);
    await write(page, 'Two sessions', [file]);
    const places = watchAppended(server.deps.files);
    let parts = 0;
    proxy.decide = async (method): Promise<Fate> => {
      if (method === 'PATCH') parts += 1;
      if (method === 'PATCH' && parts === 3) await endSessions(server, ada);
      return 'pass';
    };
    await create(page);
    await page.getByText('Please sign in again. Your unsent capsules').waitFor();
    await page.waitForURL('/');
    expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);

    await signIn(page, { email: ada.user.email, password: ada.password });
    expect(await untilSealed(server.deps, ada.user.id)).toEqual([
      { title: 'Two sessions', files: [sha256(file.bytes)] },
    ]);
    expect(parts).toBeLessThanOrEqual(Math.ceil(file.bytes.length / PART_BYTES) + 1);
    expect(places().filter((at) => at === 0)).toHaveLength(1);
  });

  it('two tabs and the worker send it once', async () => {
    const page = await arrive();
    await write(page, 'One of us');
    const other = await visitor.context.newPage();
    await other.goto('/dashboard');
    await visitor.context.setOffline(true);
    await create(page);
    await other
      .getByRole('article')
      .filter({ hasText: 'One of us' })
      .getByText('Waiting for a connection')
      .waitFor();
    await visitor.context.setOffline(false);
    await Promise.all([untilOutboxIsEmpty(page), untilOutboxIsEmpty(other)]);
    expect(await sealedBy(server.deps, ada.user.id)).toEqual([{ title: 'One of us', files: [] }]);
    expect(sealingRequests(proxy)).toHaveLength(1);
  });

  it('another person on this device neither sees nor sends it', async () => {
    const grace = await signUp(server.url, `Grace ${people}`);
    const page = await arrive();
    await write(page, 'Not for Grace');
    await visitor.context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await visitor.context.clearCookies();
    await visitor.context.setOffline(false);
    await page.waitForURL('/');

    await signIn(page, { email: grace.user.email, password: grace.password });
    await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
    await page.goto('/outbox');
    await page.getByText('Nothing is waiting.').waitFor();
    expect(await page.content()).not.toContain('Not for Grace');
    expect(await sealedBy(server.deps, grace.user.id)).toEqual([]);
    expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);

    await visitor.context.clearCookies();
    await page.goto('/profile');
    await page.waitForURL('/');
    await signIn(page, { email: ada.user.email, password: ada.password });
    expect(await untilSealed(server.deps, ada.user.id)).toEqual([
      { title: 'Not for Grace', files: [] },
    ]);
    expect(await sealedBy(server.deps, grace.user.id)).toEqual([]);
  });

  it('what the server refuses comes back to the form, with its files', async () => {
    const page = await arrive();
    await write(page, 'Come back', [await photo()]);
    // The server's tomorrow is the day that was chosen here.
    const before = server.clock.now();
    server.clock.advance({ days: 1 });
    await create(page);
    await page.getByText(/^Error: The unlock date must be after today\./).waitFor();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('1 File(s) Selected').waitFor();
    expect(await page.getByLabel('Capsule Title').inputValue()).toBe('Come back');
    server.clock.set(before);
    await create(page);
    await page.getByText(CREATED).waitFor();
    expect((await sealedBy(server.deps, ada.user.id)).map(({ title }) => title)).toEqual([
      'Come back',
    ]);
  });

  it('where service workers are blocked the app works, and the page sends', async () => {
    await visitor.close();
    visitor = await open({ baseURL: proxy.url });
    const { page } = visitor;
    await signIn(page, { email: ada.user.email, password: ada.password });
    await write(page, 'No worker');
    await visitor.context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await visitor.context.setOffline(false);
    expect(await untilSealed(server.deps, ada.user.id)).toEqual([
      { title: 'No worker', files: [] },
    ]);
    expect(visitor.problems.filter((problem) => problem.startsWith('uncaught'))).toEqual([]);
  });

  it('what is shared with the app becomes a draft, also without a network', async () => {
    const page = await arrive();
    const file = await photo();
    await visitor.context.setOffline(true);
    const letter = pdf('Letter.pdf', 'Words of a letter');
    await share(page, [file, letter, { ...file, name: 'Notes.txt', type: 'text/plain' }]);
    // Any web page can share: the person looks first.
    await page.getByRole('heading', { name: 'Add what was shared?' }).waitFor();
    await page.getByText('Letter.pdf').waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('2 File(s) Selected').waitFor();
    await page.getByText("“Notes.txt” couldn't be saved on this device.").first().waitFor();
    expect(await page.getByLabel('Capsule Title').inputValue()).toBe('At the lake');
    // With its bytes, under its draft.
    expect((await visitor.kept()).includes('Words of a letter')).toBe(true);
    // Too much of it is the person's own to take out: nothing is cut off.
    await page.getByRole('tab', { name: 'Message' }).click();
    const { length } = await page.getByLabel('Personal Message').inputValue();
    expect(length).toBe(MESSAGE_MAX + 10_000);
  });

  it('keeps one thing that was shared and not added, and nothing from another site', async () => {
    const page = await arrive();
    await share(page, [await photo('First.jpg')]);
    await page.getByText('First.jpg').waitFor();
    await share(page, [await photo('Second.jpg')]);
    await page.getByText('Second.jpg').waitFor();
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('heading', { name: 'Unfinished draft', exact: true }).waitFor();
    await page.getByText('Shared with you, not added yet').waitFor();
    await page.getByRole('link', { name: 'Continue At the lake' }).click();
    await page.getByRole('button', { name: "Don't add" }).click();
    await page.getByLabel('Capsule Title').waitFor();
    expect((await visitor.kept()).includes('Second.jpg')).toBe(false);

    await share(page, [], { length: 1_000_001 });
    await page.getByText('It has more than 1,000,000 characters.').waitFor();
    await page.getByRole('link', { name: 'Go to your dashboard' }).click();

    const elsewhere = createServer((_request, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end('<!doctype html><title>Elsewhere</title>');
    });
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/`);
    await share(page, [await photo('Third.jpg')], { address: `${proxy.url}/share` });
    await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();
    expect((await visitor.kept()).includes('Third.jpg')).toBe(false);
    elsewhere.close();
    elsewhere.closeAllConnections();
  });

  it('what is shared where nobody is signed in, or nothing can be kept, is asked for again', async () => {
    const { page } = visitor;
    await page.goto('/auth');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await share(page, [await photo()]);
    await page
      .getByText("We couldn't save what you shared because you aren't signed in.")
      .waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth');
    await arrive();
    // A device that could not note whose it is.
    await page.goto('/healthz');
    await page.evaluate(FORGET_PERSON);
    await share(page, [await photo()]);
    await page.getByText("We couldn't save what you shared. Please try again.").waitFor();
    // The server says who this is, and the device notes it again.
    await expect
      .poll(() => page.evaluate<boolean>('nameOfDatabase().then(() => true, () => false)'))
      .toBe(true);
    await page.evaluate(NEWER);
    await share(page, [await photo()]);
    await page.getByRole('heading', { name: "We couldn't save what you shared" }).waitFor();
    await page.getByRole('link', { name: 'Go to your dashboard' }).click();
    await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();
  });

  it('drafts with files survive a reload, side by side', async () => {
    const page = await arrive();
    await write(page, 'First draft', [await photo()]);
    await page.reload();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('1 File(s) Selected').waitFor();
    expect(await page.getByLabel('Capsule Title').inputValue()).toBe('First draft');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await write(page, 'Second draft');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('heading', { name: '2 unfinished drafts' }).waitFor();
    await page.getByRole('link', { name: 'Create New Capsule' }).click();
    await page.getByLabel('Description', { exact: true }).fill('For later');
    await page.waitForURL(/draft=/);
    // What stands above the new draft does not jump away while it is written.
    await page.getByRole('heading', { name: '2 unfinished drafts' }).waitFor();
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('button', { name: 'Discard For later' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
    await page.getByRole('heading', { name: '2 unfinished drafts' }).waitFor();

    await page.getByRole('button', { name: 'Discard Second draft' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
    await page.getByRole('link', { name: 'Continue First draft' }).click();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('1 File(s) Selected').waitFor();

    await page.getByRole('button', { name: 'Logout' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
    // Words and file are in the account by then, so nothing is asked.
    await page.waitForURL('/');
    expect(await visitor.kept()).not.toContain('First draft');

    await signIn(page, { email: ada.user.email, password: ada.password });
    await page.getByRole('link', { name: 'Continue First draft' }).click();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('1 File(s) Selected').waitFor();
  });
});

/** As a phone's system does when photos are shared with the app. */
async function share(
  page: Page,
  files: FixtureFile[],
  { address = '/share', length = MESSAGE_MAX + 10_000 } = {},
): Promise<void> {
  await page.evaluate(shareForm(address, length));
  const payloads = files.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes }));
  await page.locator('#shared').setInputFiles(payloads);
  await page.evaluate('document.querySelector("#shared").form.submit()');
}

const FORGET_PERSON = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('time-capsule-device');
  opening.onerror = reject;
  opening.onsuccess = () => {
    const change = opening.result.transaction('device', 'readwrite');
    change.objectStore('device').delete('session');
    change.onerror = reject;
    change.oncomplete = () => resolve(opening.result.close());
  };
})`;

/** A newer version of the app has used the database: this one can keep nothing in it. */
const NEWER = `nameOfDatabase().then((name) => new Promise((resolve, reject) => {
  const newer = indexedDB.open(name, 1_000);
  newer.onerror = reject;
  newer.onsuccess = () => resolve(newer.result.close());
}))`;

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

async function endSessions({ deps }: TestServer, { user }: SignedIn): Promise<void> {
  await deps.db.delete(sessions).where(eq(sessions.userId, user.id));
}

function sealingRequests({ requests }: LossyProxy): string[] {
  return requests.filter((line) => line === 'POST /api/capsules');
}

async function untilOutboxIsEmpty(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Outbox/ }).waitFor({ state: 'detached' });
}

async function video(length: number): Promise<FixtureFile> {
  const bytes = Buffer.concat(await largeVideo(length).toArray());
  return { name: 'Film.mp4', type: 'video/mp4', bytes };
}

/** Somewhere a request waits until it is let through. */
function gate() {
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
