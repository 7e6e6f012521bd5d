import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchAppended } from '../support/appended.ts';
import { dispatchSync } from '../support/dispatch-sync.ts';
import { type FixtureFile, sha256 } from '../support/fixtures.ts';
import { leftBehind, sealedBy, untilSealed } from '../support/ledger.ts';
import {
  arrive,
  create,
  expectExactly,
  holdPart,
  KEPT,
  keepDraftsHere,
  outboxRows,
  proofWorld,
  untilOutboxIsEmpty,
  video,
  write,
} from '../support/proof-world.ts';
import { answer, signInByForm } from '../support/screens.ts';
import { until } from '../support/until.ts';

const world = proofWorld();

const sealings = () => world.wire.requests.filter((line) => line === 'POST /api/capsules').length;

const NO_SYNC = 'delete ServiceWorkerRegistration.prototype.sync; delete globalThis.SyncManager;';

it('without SyncManager, two tabs: it leaves from an open one, once', async () => {
  const { wire, ada } = world;
  const { context, page } = world.visitor;
  await context.addInitScript(NO_SYNC);
  await arrive(page, ada);
  expect(await page.evaluate('"SyncManager" in globalThis')).toBe(false);
  const file = await video(17_000_000);
  await write(page, ada, 'No sync', [file]);
  const places = watchAppended(world.server.deps.files);
  const other = await context.newPage();
  await other.goto('/dashboard');
  await context.setOffline(true);
  await create(page);
  await page.getByText(KEPT).waitFor();
  await context.setOffline(false);
  await Promise.all([untilOutboxIsEmpty(page), untilOutboxIsEmpty(other)]);
  await expectExactly(world, ada, [{ title: 'No sync', files: [sha256(file.bytes)] }]);
  expect(sealings()).toBe(1);
  const parts = wire.requests.filter((line) => line.startsWith('PATCH'));
  expect(parts).toHaveLength(places().length);
  expect(places()).toEqual([...new Set(places())]);
});

it('two tabs and the worker at once send it once', async () => {
  const { ada } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  const file = await video(17_000_000);
  await write(page, ada, 'All at once', [file]);
  const other = await context.newPage();
  await other.goto('/dashboard');
  await context.setOffline(true);
  await create(page);
  await page.getByText(KEPT).waitFor();
  await context.setOffline(false);
  await Promise.all([
    dispatchSync(context, page),
    page.evaluate('dispatchEvent(new Event("online"))'),
    other.evaluate('dispatchEvent(new Event("online"))'),
    dispatchSync(context, other),
  ]);
  await Promise.all([untilOutboxIsEmpty(page), untilOutboxIsEmpty(other)]);
  await expectExactly(world, ada, [{ title: 'All at once', files: [sha256(file.bytes)] }]);
  expect(sealings()).toBe(1);
});

/** Sends from one tab and closes it while the second part is held. @returns the tab that stays open */
async function closeWhileSending(title: string, file: FixtureFile) {
  const { ada } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  // Its files go with the capsule, and not before.
  await keepDraftsHere(page);
  await write(page, ada, title, [file]);
  const other = await context.newPage();
  await other.goto('/dashboard');
  const sentByOther: string[] = [];
  other.on('request', (request) => sentByOther.push(request.method()));
  const second = await holdPart(world, page, 2);
  await page.close();
  second.open();
  const byOther = () => sentByOther.filter((method) => method === 'PATCH').length;
  return { other, byOther };
}

it('the tab that sends is closed in the middle: the worker goes on from the part', async () => {
  const file = await video(24_000_000);
  const places = watchAppended(world.server.deps.files);
  const { other, byOther } = await closeWhileSending('Handed over', file);
  await untilOutboxIsEmpty(other);
  await expectExactly(world, world.ada, [{ title: 'Handed over', files: [sha256(file.bytes)] }]);
  expect(places().filter((at) => at === 0)).toHaveLength(1);
  expect(byOther()).toBe(0);
});

it('without SyncManager, the tab that sends is closed in the middle: another one that comes into sight goes on', async () => {
  await world.visitor.context.addInitScript(NO_SYNC);
  const file = await video(24_000_000);
  const places = watchAppended(world.server.deps.files);
  const { other, byOther } = await closeWhileSending('Taken over', file);
  // Whoever closes a tab sees the next one; a browser without a window does not say so.
  await other.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  await untilOutboxIsEmpty(other);
  await expectExactly(world, world.ada, [{ title: 'Taken over', files: [sha256(file.bytes)] }]);
  expect(places().filter((at) => at === 0)).toHaveLength(1);
  expect(byOther()).toBeGreaterThan(0);
});

it('taken back in the last moment, a capsule does not leave', async () => {
  const { server, wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const file = await video(17_000_000);
  await write(page, ada, 'Taken back', [file]);
  const second = await holdPart(world, page, 2);
  // However it came about: its sender still holds it in memory.
  await page.evaluate('clearRows("outbox")');
  second.open();
  const isWhole = async () =>
    (await leftBehind(server.deps)).some((line) => line.includes('(17000000/17000000)'));
  // A sweep after another job may take the file away first, which nothing names any more.
  const isSwept = async () => (await page.evaluate<[]>('readRows("attachments")')).length === 0;
  await until(async () => (await isWhole()) || (await isSwept()) || null, { everyMs: 100 });
  // A capsule would follow its last part at once.
  await delay(1_500);
  expect(wire.requests).not.toContain('POST /api/capsules');
  expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);
});

it('what another tab is sending can be taken back', async () => {
  const { ada } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  await keepDraftsHere(page);
  await write(page, ada, 'Regretted', [await video(24_000_000)]);
  const second = await holdPart(world, page, 2);
  const other = await context.newPage();
  await other.goto('/outbox');
  await other.getByRole('button', { name: 'Discard Regretted' }).click();
  await answer(other, 'Discard “Regretted” and its file?', 'Discard');
  await other.getByText('“Regretted” has been discarded.').waitFor();
  second.open();
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, []);
  expect(sealings()).toBe(0);
});

it('another person signs in in the middle of an upload: nothing of it becomes theirs', async () => {
  const { server, ada } = world;
  const { context, page } = world.visitor;
  const grace = await world.person('Grace');
  await arrive(page, ada);
  const file = await video(17_000_000);
  await write(page, ada, 'Only mine', [file]);
  const second = await holdPart(world, page, 2);
  // Her session takes the place of Ada's, as when she signs in in another tab.
  await context.clearCookies();
  const tab = await context.newPage();
  await tab.evaluate('0');
  await tab.goto('/');
  await tab.evaluate('localStorage.removeItem("isLoggedIn")');
  await signInByForm(tab, { email: grace.user.email, password: grace.password });
  second.open();
  await until(
    async () => {
      const rows = await outboxRows(tab);
      return rows.every(({ state }) => state !== 'sending') ? true : null;
    },
    { seconds: 60, everyMs: 200 },
  );
  await tab.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
  expect(await sealedBy(server.deps, grace.user.id)).toEqual([]);
  expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);

  await tab.getByRole('button', { name: 'Logout' }).first().click();
  await answer(tab, 'Are you sure you want to logout?', 'OK');
  await tab.waitForURL('/');
  await signInByForm(tab, { email: ada.user.email, password: ada.password });
  expect(await untilSealed(server.deps, ada.user.id)).toEqual([
    { title: 'Only mine', files: [sha256(file.bytes)] },
  ]);
  await untilOutboxIsEmpty(tab);
  await expectExactly(world, ada, [{ title: 'Only mine', files: [sha256(file.bytes)] }]);
  expect(await sealedBy(server.deps, grace.user.id)).toEqual([]);
});

it('signing out with unsent work asks first; then nothing of it is here or on the server, nor sent later', async () => {
  const { ada } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  await keepDraftsHere(page);
  await write(page, ada, 'Given up', [await video(17_000_000)]);
  // The server answers everything but this.
  world.wire.plan = ({ method, path }) =>
    method === 'POST' && path === '/api/capsules' ? { kind: 'cut-request', after: 50 } : null;
  await create(page);
  await page.getByText(KEPT).waitFor();
  await page.getByRole('button', { name: 'Logout' }).first().click();
  const question = page
    .getByRole('alertdialog')
    .filter({ hasText: '1 capsule is waiting to be sent' });
  await question.getByRole('button', { name: 'Stay signed in' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await outboxRows(page)).toHaveLength(1);

  await page.getByRole('button', { name: 'Logout' }).first().click();
  await question.getByRole('button', { name: 'Sign out and delete it' }).click();
  await page.waitForURL('/');
  world.wire.plan = () => null;
  expect(await outboxRows(page)).toEqual([]);
  await dispatchSync(context, page);
  await signInByForm(page, { email: ada.user.email, password: ada.password });
  await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
  await expectExactly(world, ada, []);
});
