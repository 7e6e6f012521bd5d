import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { atDevice, rowsOf } from '../support/at-device.ts';
import { seal } from '../support/capsules.ts';
import type { FixtureFile } from '../support/fixtures.ts';
import { answer, SAVED, signIn, writeCapsule } from '../support/screens.ts';

const NEWER = 'A newer version of Time Capsule is in use on this device.';
const REFUSED = "This browser won't let Time Capsule save anything";

const SNAPSHOTS = "Object.keys(localStorage).filter((name) => name.startsWith('draft:'))";

const WAYS_OUT: [string, (page: Page) => Promise<unknown>][] = [
  ['to another site', (page) => page.goto('about:blank')],
  ['reloaded', (page) => page.reload()],
  [
    'closed',
    (page) => Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]),
  ],
  [
    'from the page it had changed to',
    async (page) => {
      await page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' }).click();
      await page.goto('about:blank');
    },
  ],
];

interface Draft {
  fields: { title: string };
}

describe('the database of this device', () => {
  const at = atDevice();

  function write(page: Page, title: string, files: FixtureFile[] = []) {
    const recipients = [at.ada.user.name];
    return writeCapsule(page, { title, description: 'd', recipients, message: 'm', files });
  }

  function titles(drafts: Draft[]): string[] {
    return drafts.map(({ fields }) => fields.title).toSorted();
  }

  it('of a newer version is left alone: one page says so, and nobody types in vain', async () => {
    const { page } = at;
    await write(page, 'Kept before');
    await page.goto('/healthz');
    await page.evaluate(upgradeTo(999));
    await page.goto('/create');
    await page.getByText(NEWER).waitFor();
    expect(await page.getByLabel('Capsule Title').count()).toBe(0);
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await page.getByText(NEWER).waitFor();
    expect(titles(await rowsOf<Draft>(page, 'drafts'))).toEqual(['Kept before']);
    expect(at.visitor.problems).toEqual([]);
  });

  it('is given up by an old tab when a new one upgrades it; what was typed goes in first', async () => {
    const { page, visitor } = at;
    await write(page, 'Before');
    const other = await visitor.context.newPage();
    await other.goto('/healthz');
    await page.getByLabel('Capsule Title').fill('Last words');
    await other.evaluate(upgradeTo(999));
    await page.getByText(NEWER).waitFor();
    expect(titles(await rowsOf<Draft>(other, 'drafts'))).toEqual(['Last words']);
    expect(visitor.problems).toEqual([]);
  });

  it.each(WAYS_OUT)('has what was typed right before the page went: %s', async (_, leave) => {
    const { page, visitor } = at;
    await page.goto('/create');
    await page.getByLabel('Capsule Title').fill('First words');
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    const draft = page.url();
    await page.getByLabel('Capsule Title').fill('Last words');
    await leave(page);
    const next = page.isClosed() ? await visitor.context.newPage() : page;
    await next.goto(draft);
    await next.getByLabel('Capsule Title').waitFor();
    expect(await next.getByLabel('Capsule Title').inputValue()).toBe('Last words');
    expect(titles(await rowsOf<Draft>(next, 'drafts'))).toEqual(['Last words']);
    expect(await next.evaluate(SNAPSHOTS)).toEqual([]);
    expect(visitor.problems).toEqual([]);
  });

  it('has a draft whose first words were its last', async () => {
    const { page } = at;
    await page.goto('/create');
    await page.getByLabel('Capsule Title').fill('Only words');
    await page.goto('/healthz');
    await page.goto('/dashboard');
    await page.getByRole('link', { name: /Only words/ }).click();
    await expect
      .poll(() => page.getByLabel('Capsule Title').inputValue(), { timeout: 10_000 })
      .toBe('Only words');
  });

  it('that another tab holds at an older version is not waited for', async () => {
    const { page, visitor } = at;
    await page.goto('/healthz');
    await page.evaluate('indexedDB.databases()');
    await page.evaluate(HOLD_OLD);
    const other = await visitor.context.newPage();
    await other.goto('/dashboard');
    await other.getByText('An older version of Time Capsule is open in another tab.').waitFor();
    await page.close();
    await write(other, 'Kept again');
    expect(titles(await rowsOf<Draft>(other, 'drafts'))).toEqual(['Kept again']);
    expect(visitor.problems).toEqual([]);
  });

  it.each([
    ['is not there', MISSING],
    ['is refused', REFUSE],
    ['cannot be opened any more', BROKEN],
    ['never answers', SILENT],
  ])('that %s: one page says so, and one can sign in, add and sign out', async (_, script) => {
    const { visit, ada } = at;
    const { page, context } = await visit();
    await context.addInitScript(script);
    await page.goto('/add#abc');
    await page.getByText(REFUSED).waitFor();
    await signIn(page, { email: ada.user.email, password: ada.password });
    await page.getByText(REFUSED).waitFor();
    await page.goto('/create');
    await page.getByText(REFUSED).waitFor();
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await answer(page, "This page can't see what's saved on this device.", 'Sign out');
    await page.waitForURL('/');
  });

  it('of which an answer of the server can be read no more shows the next one', async () => {
    const { page, ada, visitor } = at;
    await seal(ada, ada, { title: 'On the server' });
    await visitor.context.addInitScript(unreadable('responses', ['IDBObjectStore']));
    await page.reload();
    await page.getByRole('heading', { name: 'On the server' }).waitFor();
  });

  it('of which a list can be read no more opens a capsule of it', async () => {
    const { page, ada, visitor } = at;
    await seal(ada, ada, { title: 'In a lost list' });
    await visitor.context.addInitScript(unreadable('responses', ['IDBIndex']));
    await page.reload();
    await page.getByRole('button', { name: 'View details of In a lost list' }).click();
    await page.getByRole('dialog').getByText('0 files').waitFor();
    await page.getByRole('dialog').getByText('Loading').waitFor({ state: 'detached' });
  });

  it('of which the outbox can be read no more still leads to the account', async () => {
    const { page, ada, visitor } = at;
    await visitor.context.addInitScript(unreadable('outbox', ['IDBObjectStore']));
    await page.goto('/profile/safety');
    await page.getByRole('button', { name: 'Export as ZIP' }).waitFor();
    await page.getByRole('link', { name: 'Back to Profile' }).click();
    await page.getByRole('heading', { name: ada.user.name }).waitFor();
  });

  it.each([
    ['deleted by another tab', deleteElsewhere],
    ['taken by the browser', evict],
  ])(
    'that is %s under the page: the page loads itself anew, with what is in the account',
    async (_, takeAway) => {
      const { page, visitor } = at;
      await write(page, 'In the account');
      await page.getByText(/^Saved to your account/).waitFor();
      const reloaded = page.waitForEvent('load');
      await takeAway(page);
      await reloaded;
      const title = page.getByLabel('Capsule Title');
      await expect.poll(() => title.inputValue(), { timeout: 10_000 }).toBe('In the account');
      const uncaught = visitor.problems.filter((problem) => problem.startsWith('uncaught'));
      expect(uncaught).toEqual([]);
    },
  );
});

/** What an app of the future does to the tables. */
function upgradeTo(version: number): string {
  return `
    new Promise(async (resolve, reject) => {
      const opening = indexedDB.open(await nameOfDatabase(), ${version});
      opening.onupgradeneeded = () => opening.result.createObjectStore('of-the-future');
      opening.onsuccess = () => { opening.result.close(); resolve(); };
      opening.onerror = () => reject(opening.error);
    })
  `;
}

/** A tab of an older version that cannot be asked to let go: it sleeps. */
const HOLD_OLD = `
  new Promise(async (resolve, reject) => {
    const name = await nameOfDatabase();
    const deleting = indexedDB.deleteDatabase(name);
    deleting.onerror = () => reject(deleting.error);
    deleting.onsuccess = () => {
      const opening = indexedDB.open(name, 5);
      opening.onerror = () => reject(opening.error);
      opening.onupgradeneeded = () => {
        opening.result.createObjectStore('drafts', { keyPath: 'id' });
      };
      opening.onsuccess = () => { globalThis.held = opening.result; resolve(); };
    };
  })
`;

/** As in a browser that was told to have none. */
const MISSING = "Object.defineProperty(globalThis, 'indexedDB', { value: undefined });";

/** As browsers do where site data is blocked. */
const REFUSE = `
  IDBFactory.prototype.open = () => {
    throw new DOMException('Access to the database is denied.', 'SecurityError');
  };
`;

/** As with a damaged profile. */
const BROKEN = `
  IDBFactory.prototype.open = () => {
    const error = new DOMException('Internal error opening backing store.', 'UnknownError');
    const request = Object.assign(new EventTarget(), { error, result: undefined, transaction: null });
    request.addEventListener('error', (event) => request.onerror?.(event));
    setTimeout(() => request.dispatchEvent(new Event('error', { cancelable: true })));
    return request;
  };
`;

/** As with a file of the browser's that somebody has deleted: until its table is cleared. */
const unreadable = (table: string, from: string[]) => `
  let isCleared = false;
  for (const reader of [${from.join(', ')}]) {
    for (const name of ['get', 'getAll']) {
      const read = reader.prototype[name];
      reader.prototype[name] = function (...asked) {
        const { name } = this.objectStore ?? this;
        if (isCleared || name !== '${table}') return read.apply(this, asked);
        throw new DOMException('Failed to read large IndexedDB value', 'DataError');
      };
    }
  }
  const clear = IDBObjectStore.prototype.clear;
  IDBObjectStore.prototype.clear = function () {
    isCleared ||= this.name === '${table}';
    return clear.apply(this);
  };
`;

/** As in some versions of Safari, until the browser is started anew. */
const SILENT = `
  IDBFactory.prototype.open = () => new EventTarget();
  IDBFactory.prototype.deleteDatabase = () => new EventTarget();
  IDBFactory.prototype.databases = () => new Promise(() => undefined);
`;

async function deleteElsewhere(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto('/healthz');
  await other.evaluate(`
    new Promise(async (resolve, reject) => {
      const deleting = indexedDB.deleteDatabase(await nameOfDatabase());
      deleting.onsuccess = () => resolve();
      deleting.onerror = () => reject(deleting.error);
    })
  `);
  await other.close();
}

async function evict(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await session.detach();
}
