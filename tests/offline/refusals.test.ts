import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sessions } from '../../server/db/schema.ts';
import { watchAppended } from '../support/appended.ts';
import type { SignedIn } from '../support/client.ts';
import { sha256 } from '../support/fixtures.ts';
import { sealedBy } from '../support/ledger.ts';
import {
  arrive,
  create,
  expectExactly,
  gate,
  KEPT,
  mostParts,
  openOutbox,
  outboxRows,
  proofWorld,
  untilOutboxIsEmpty,
  video,
  write,
} from '../support/proof-world.ts';
import { answer, chooseFor, removeFile, signInByForm } from '../support/screens.ts';
import { until } from '../support/until.ts';
import type { Fault } from '../support/wire.ts';

const world = proofWorld();

/** The wire's plan: `act` at the n-th part of an upload, and only once. */
function atPart(n: number, act: () => Fault | null | Promise<Fault | null>) {
  let parts = 0;
  world.wire.plan = ({ method }) => {
    if (method === 'PATCH') parts += 1;
    return method === 'PATCH' && parts === n ? act() : null;
  };
  return { sent: () => parts };
}

const said = (status: number, code: string, message: string, headers = {}): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ message, code }),
});

async function begin(title: string) {
  const { page } = world.visitor;
  await arrive(page, world.ada);
  const file = await video(24_000_000);
  await write(page, world.ada, title, [file]);
  const places = watchAppended(world.server.deps.files);
  return { page, file, places, parts: mostParts(file.bytes.length) };
}

/** What the outbox says of a capsule. */
async function stateInOutbox(page: Page, title: string, text: string | RegExp): Promise<void> {
  await openOutbox(page);
  await page.getByRole('article', { name: title }).getByText(text).first().waitFor();
}

it('401 in the middle: it asks to sign in, and goes on from the part', async () => {
  const { server, ada } = world;
  const { page, file, parts, places } = await begin('Ended session');
  const { sent } = atPart(2, async () => {
    await server.deps.db.delete(sessions).where(eq(sessions.userId, ada.user.id));
    return null;
  });
  await create(page);
  await page.getByText('Please sign in again. Your unsent capsules').waitFor();
  expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);
  await signInByForm(page, { email: ada.user.email, password: ada.password });
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Ended session', files: [sha256(file.bytes)] }]);
  expect(sent()).toBeLessThanOrEqual(parts + 1);
  // From the part, not from the beginning.
  expect(places().filter((at) => at === 0)).toHaveLength(1);
});

it('413 in the middle, a file that became too large: back to the form, then it goes', async () => {
  const { server, wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const files = [await video(8_500_000, 'First.mp4'), await video(9_500_000, 'Second.mp4')];
  await write(page, ada, 'Too much', files);
  const { maxFileMB } = server.deps.config;
  wire.plan = ({ method }) => {
    // The operator lowers the limit while the first file is on its way.
    if (method === 'PATCH') server.deps.config.maxFileMB = 9;
    return null;
  };
  try {
    await create(page);
    // At the top of the form, and at the files behind the other tab.
    const refusal = page.getByText(/"Second\.mp4" is too large\. A file can be at most 9 MB\./);
    await refusal.filter({ visible: true }).waitFor();
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('2 File(s) Selected').waitFor();
    await removeFile(page, 'Second.mp4');
    await page.getByText('1 File(s) Selected').waitFor();
    await create(page);
    await untilOutboxIsEmpty(page);
  } finally {
    server.deps.config.maxFileMB = maxFileMB;
  }
  const [first] = files;
  await expectExactly(world, ada, [
    { title: 'Too much', files: first ? [sha256(first.bytes)] : [] },
  ]);
});

it('413 because the storage is full: it says so, and goes when there is room', async () => {
  const { server, ada } = world;
  const { page, file } = await begin('No room');
  const { storageLimitMB } = server.deps.config;
  server.deps.config.storageLimitMB = 10;
  try {
    await create(page);
    await page
      .getByText(/storage is full/i)
      .first()
      .waitFor();
    // Its files are refused before the capsule is, which would still be sealed once there is room.
    await page.getByRole('button', { name: 'Create Time Capsule' }).waitFor();
  } finally {
    server.deps.config.storageLimitMB = storageLimitMB;
  }
  // The form knows the old limit until it is opened again.
  await page.reload();
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByText('1 File(s) Selected').waitFor();
  await page.getByText('Up to 20 files, 100 MB each and 500 MB together.').first().waitFor();
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'No room', files: [sha256(file.bytes)] }]);
});

/** Deletes for good the one capsule that was deleted just now. */
async function emptyBin(page: Page, { password }: SignedIn): Promise<void> {
  await page.getByRole('link', { name: 'Bin (1)' }).click();
  await page.getByRole('button', { name: 'Delete now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Delete now' }).click();
  await page.getByText('Your bin is empty.').waitFor();
}

it('the storage is full when it is sent later: it goes by itself once a capsule is deleted for good', async () => {
  const { server, ada } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  await write(page, ada, 'Old one', [await video(3_000_000)]);
  await create(page);
  await untilOutboxIsEmpty(page);
  const { storageLimitMB } = server.deps.config;
  server.deps.config.storageLimitMB = 5;
  try {
    const file = await video(3_100_000);
    await write(page, ada, 'Waits for room', [file]);
    await context.setOffline(true);
    await create(page);
    await page.getByText(KEPT).waitFor();
    await context.setOffline(false);
    await stateInOutbox(page, 'Waits for room', 'Your storage is full.');
    await page.goto('/dashboard');
    await chooseFor(page, 'Old one', 'Delete');
    await answer(page, 'Are you sure you want to delete this capsule?', 'OK');
    await emptyBin(page, ada);
    await untilOutboxIsEmpty(page);
    await expectExactly(world, ada, [{ title: 'Waits for room', files: [sha256(file.bytes)] }]);
  } finally {
    server.deps.config.storageLimitMB = storageLimitMB;
  }
});

it('429 in the middle: not before the time it names, then from the part', async () => {
  const { ada } = world;
  const { page, file, parts, places } = await begin('Too often');
  let refusedAt = 0;
  let againAt = 0;
  const looked = gate();
  const { sent } = atPart(3, () => {
    refusedAt = Date.now();
    return said(429, 'RATE_LIMITED', 'Too many attempts. Please wait.', { 'retry-after': '4' });
  });
  const { plan } = world.wire;
  world.wire.plan = async (asked) => {
    if (refusedAt > 0 && asked.method === 'PATCH') againAt ||= Date.now();
    // Each try begins with this call: it is held until the person has looked.
    if (refusedAt > 0 && asked.path === '/user/me') await looked.pass();
    return plan(asked);
  };
  await create(page);
  await page.getByText(/Saved on this device\. We'll try again\./).waitFor();
  await stateInOutbox(page, 'Too often', /^Trying again (at|now)/);
  const [row] = await outboxRows(page);
  expect((row?.nextTryAt ?? 0) - refusedAt).toBeGreaterThanOrEqual(4_000);
  looked.open();
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Too often', files: [sha256(file.bytes)] }]);
  expect(againAt - refusedAt).toBeGreaterThanOrEqual(4_000);
  expect(sent()).toBeLessThanOrEqual(parts + 1);
  // From the part, not from the beginning.
  expect(places().filter((at) => at === 0)).toHaveLength(1);
});

for (const [status, code] of [
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
] as const) {
  it(`${status} in the middle: tried again by itself, from the part`, async () => {
    const { ada } = world;
    const { page, file, parts, places } = await begin(`After ${status}`);
    const { sent } = atPart(2, () => said(status, code, 'The server is in trouble.'));
    await create(page);
    await page.getByText("We'll try again. The server is in trouble.").waitFor();
    await untilOutboxIsEmpty(page);
    await expectExactly(world, ada, [{ title: `After ${status}`, files: [sha256(file.bytes)] }]);
    expect(sent()).toBeLessThanOrEqual(parts + 1);
    // From the part, not from the beginning.
    expect(places().filter((at) => at === 0)).toHaveLength(1);
  });
}

it('a proxy that takes no large bodies: the film goes on chunk by chunk', async () => {
  const { ada } = world;
  const { page, file, parts, places } = await begin('Narrow gate');
  const { sent } = atPart(2, () => ({
    kind: 'answer',
    status: 413,
    headers: { 'content-type': 'text/html' },
    body: '<h1>413 Request Entity Too Large</h1>',
  }));
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Narrow gate', files: [sha256(file.bytes)] }]);
  // On a slow line it goes in smaller pieces still.
  expect(sent()).toBeGreaterThanOrEqual(parts + 1);
  const once = [...new Set(places())].toSorted((one, other) => one - other);
  expect(places()).toEqual(once);
  expect(once[0]).toBe(0);
});

it('a page that stands in between and calls itself an answer is none', async () => {
  const { wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  await write(page, ada, 'Hotel');
  let answers = 0;
  wire.plan = ({ method, path }) => {
    if (method !== 'POST' || path !== '/api/capsules' || answers === 2) return null;
    answers += 1;
    const body = '<html><title>Welcome to our hotel</title>Please pay.</html>';
    return { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body };
  };
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Hotel', files: [] }]);
  expect(answers).toBe(2);
});

it('what may have arrived stays so when something in between refuses the next try', async () => {
  const { server, wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  await write(page, ada, 'Refused in between');
  let then: 'lost' | 'refused' | 'heard' = 'lost';
  wire.plan = ({ method, path }) => {
    if (then === 'heard' || method !== 'POST' || path !== '/api/capsules') return null;
    if (then === 'lost') return { kind: 'cut-answer', after: 0 };
    return { kind: 'answer', status: 413, body: '<h1>413 Request Entity Too Large</h1>' };
  };
  await create(page);
  await page.getByText(KEPT).waitFor();
  then = 'refused';
  await openOutbox(page);
  const item = page.getByRole('article', { name: 'Refused in between' });
  await until(async () => ((await outboxRows(page))[0]?.attempts ?? 0) >= 2 || null);
  await item.getByText(/^Trying again/).waitFor();
  expect(await sealedBy(server.deps, ada.user.id)).toHaveLength(1);
  await item.getByRole('button', { name: 'Edit Refused in between' }).click();
  await page.getByText('Tap Try now to check').waitFor();
  then = 'heard';
  await page.getByRole('button', { name: 'Try now', exact: true }).click();
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Refused in between', files: [] }]);
});
