import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { uploads } from '../../server/db/schema.ts';
import { sha256 } from '../support/fixtures.ts';
import { sealedBy } from '../support/ledger.ts';
import {
  arrive,
  create,
  expectExactly,
  KEPT,
  openOutbox,
  proofWorld,
  SLOW_DISK,
  untilOutboxIsEmpty,
  video,
  write,
} from '../support/proof-world.ts';
import { until } from '../support/until.ts';

const world = proofWorld();

/** Deletes the last chunk that this device keeps, beside the app. */
function damage(page: Page): Promise<void> {
  return page.evaluate(`(async () => {
    const settled = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const database = await openBesideApp();
    const table = database.transaction('chunks', 'readwrite').objectStore('chunks');
    const keys = await settled(table.getAllKeys());
    await settled(table.delete(keys.at(-1)));
    database.close();
  })()`);
}

/** Seals it without a network, and opens a page again that knows of its files only what is kept. */
async function sealOffline(title: string, bytes: number): Promise<Page> {
  const { context, page } = world.visitor;
  await arrive(page, world.ada);
  await write(page, world.ada, title, [await video(bytes)]);
  await context.setOffline(true);
  await create(page);
  await page.getByText(KEPT).waitFor();
  return page;
}

const DAMAGED = "“Film.mp4” can't be read on this device any more. Please add it again.";

for (const [size, bytes] of [
  ['a small file', 3_000_000],
  ['a large file', 20_000_000],
] as const) {
  it(`a chunk of ${size} is gone: the file is named, and goes once it is added again`, async () => {
    const { server, ada } = world;
    const page = await sealOffline('Damaged', bytes);
    await damage(page);
    await world.visitor.context.setOffline(false);
    // Without the note the link moves up, from under a pointer that is on its way.
    await page.getByText("You're offline").waitFor({ state: 'hidden' });
    await openOutbox(page);
    const item = page.getByRole('article', { name: 'Damaged' });
    await item.getByText(DAMAGED).waitFor();
    expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);

    await item.getByRole('button', { name: 'Edit Damaged' }).click();
    await page.getByRole('tab', { name: 'Content' }).click();
    const again = await video(bytes);
    const { name, type: mimeType, bytes: buffer } = again;
    await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await page.getByText('Not saved on this device.').waitFor({ state: 'detached' });
    await untilCopied(page);
    await create(page);
    await expectExactly(world, ada, [{ title: 'Damaged', files: [sha256(buffer)] }]);
  });
}

it('it has arrived, and then a chunk is damaged: nobody is asked for the file again', async () => {
  const { wire, ada } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  const file = await video(3_000_000);
  await write(page, ada, 'Arrived', [file]);
  let lost = 0;
  wire.plan = ({ method, path }) => {
    if (method !== 'POST' || path !== '/api/capsules') return null;
    lost += 1;
    return { kind: 'cut-answer', after: 0 };
  };
  await create(page);
  await page.getByText(KEPT).waitFor();
  expect(lost).toBeGreaterThan(0);
  await context.setOffline(true);
  await damage(page);
  wire.plan = () => null;
  await context.setOffline(false);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Arrived', files: [sha256(file.bytes)] }]);
  expect(await page.getByText(DAMAGED).count()).toBe(0);
});

async function untilCopied(page: Page): Promise<void> {
  await until(async () => {
    const rows = await page.evaluate<{ complete: boolean }[]>('readRows("attachments")');
    return rows.every(({ complete }) => complete) || null;
  });
}

it('the server has lost the upload meanwhile: it begins again, and nothing is missing', async () => {
  const { server, wire, ada } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  const file = await video(24_000_000);
  // The file goes ahead of its capsule, and on a slow machine most of it while one still writes.
  let parts = 0;
  wire.plan = async ({ method }) => {
    if (method !== 'PATCH') return null;
    parts += 1;
    if (parts === 2) await context.setOffline(true);
    return null;
  };
  await write(page, ada, 'Lost upload', [file]);
  await create(page);
  await page.getByText(KEPT).waitFor();
  const own = eq(uploads.userId, ada.user.id);
  const [upload] = await server.deps.db.delete(uploads).where(own).returning();
  expect(upload?.received).toBeGreaterThan(0);
  if (upload) await server.deps.files.delete([upload.storageKey]);
  await context.setOffline(false);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Lost upload', files: [sha256(file.bytes)] }]);
});

it('the tab that copies is closed: the other one says what is missing', async () => {
  const { context, page } = world.visitor;
  await arrive(page, world.ada);
  await write(page, world.ada, 'Half copied');
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.evaluate(SLOW_DISK);
  const { name, type: mimeType, bytes: buffer } = await video(24_000_000);
  await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
  await page.getByText(/^Copying… \d+%$/).waitFor();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Go on here' }).click();
  await other.getByRole('tab', { name: 'Content' }).click();
  await other.getByText('Waiting to be copied…').waitFor();
  await page.close({ runBeforeUnload: false });
  await other.getByText('Not saved on this device. Please add it again or remove it.').waitFor();
});
