import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { dispatchSync } from '../support/dispatch-sync.ts';
import {
  arrive,
  create,
  expectExactly,
  gate,
  holdPart,
  keepDraftsHere,
  outboxRows,
  proofWorld,
  queueCapsule,
  video,
  write,
} from '../support/proof-world.ts';
import { answer, signInByForm } from '../support/screens.ts';
import { until } from '../support/until.ts';
import type { Fault } from '../support/wire.ts';

const world = proofWorld();

const LATER: Fault = {
  kind: 'answer',
  status: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '8' },
  body: JSON.stringify({ message: 'The server is in trouble.', code: 'UNAVAILABLE' }),
};

it('its time comes while the person signs out: what they have deleted does not leave', async () => {
  const { ada, wire } = world;
  const { page } = world.visitor;
  // The page alone sends: it is its time that comes.
  await page.addInitScript('delete ServiceWorkerRegistration.prototype.sync;');
  await arrive(page, ada);
  await keepDraftsHere(page);
  await write(page, ada, 'Too late', [await video(17_000_000)]);
  wire.plan = ({ method, path }) => (method === 'POST' && path === '/api/capsules' ? LATER : null);
  await create(page);
  await page.getByText("Saved on this device. We'll try again.").waitFor();
  const [row] = await outboxRows(page);
  const due = row?.nextTryAt ?? 0;

  let isTelling = false;
  wire.plan = async ({ method }) => {
    if (method !== 'DELETE') return null;
    // The server takes its time to give the upload up; meanwhile it is the capsule's turn.
    isTelling = true;
    await until(async () => Date.now() > due + 1_500 || null, { seconds: 30 });
    return null;
  };
  await page.getByRole('button', { name: 'Logout' }).first().click();
  const question = page
    .getByRole('alertdialog')
    .filter({ hasText: '1 capsule is waiting to be sent' });
  const yes = question.getByRole('button', { name: 'Sign out and delete it' });
  await yes.waitFor();
  await until(async () => Date.now() > due - 1_500 || null, { seconds: 30, everyMs: 20 });
  const before = wire.requests.length;
  await yes.press('Enter');
  await page.waitForURL('/');
  expect(isTelling).toBe(true);
  expect(Date.now()).toBeGreaterThan(due);
  const after = wire.requests.slice(before);
  expect(after.filter((line) => /^(PATCH|POST \/api\/(capsules|uploads))/.test(line))).toEqual([]);
  wire.plan = () => null;
  await signInByForm(page, { email: ada.user.email, password: ada.password });
  await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
  await expectExactly(world, ada, []);
});

it('another tab and the worker wait to send while the person signs out: nothing more leaves', async () => {
  const { ada, wire } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  await keepDraftsHere(page);
  await write(page, ada, 'Film', [await video(24_000_000)]);
  const second = await holdPart(world, page, 2);
  const letter = { title: 'Letter', dateToUnlock: '2036-01-01', fileBytes: [], seed: 1 };
  await queueCapsule(page, { userId: ada.user.id, email: ada.user.email, ...letter });
  const other = await context.newPage();
  await other.goto('/dashboard');
  await other.getByRole('link', { name: /^Outbox/ }).waitFor();
  await dispatchSync(context, other);

  let isTelling = false;
  wire.plan = async ({ method }) => {
    if (method !== 'DELETE') return null;
    // The server takes its time to give the upload up: enough for the others to begin.
    isTelling = true;
    await delay(2_500);
    return null;
  };
  await page.getByRole('button', { name: 'Logout' }).first().click();
  const question = page
    .getByRole('alertdialog')
    .filter({ hasText: 'capsules are waiting to be sent' });
  const before = wire.requests.length;
  await question.getByRole('button', { name: 'Sign out and delete them' }).click();
  await page.waitForURL('/');
  expect(isTelling).toBe(true);
  const after = wire.requests.slice(before);
  expect(after.filter((line) => /^(PATCH|POST \/api\/(capsules|uploads))/.test(line))).toEqual([]);
  second.open();
  wire.plan = () => null;
  await signInByForm(page, { email: ada.user.email, password: ada.password });
  await page.getByRole('tab', { name: 'My Capsules (0)' }).waitFor();
  await expectExactly(world, ada, []);
});

it('the server takes the request to sign out and never answers: there is a way out', async () => {
  const { ada, wire } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const held = gate();
  wire.plan = async ({ path }) => {
    if (path === '/auth/logout') await held.pass();
    return null;
  };
  await page.getByRole('button', { name: 'Logout' }).first().click();
  await answer(page, 'Are you sure you want to logout?', 'OK');
  await held.reached;
  await page.getByRole('button', { name: 'Sign out anyway' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('/');
  expect(await page.evaluate('readDevice()')).not.toContain(ada.user.email);
  held.open();
});
