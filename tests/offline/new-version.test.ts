import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createStaticFiles, type StaticFiles } from '../../server/http/static.ts';
import { projectRoot } from '../../server/project-root.ts';
import { watchAppended } from '../support/appended.ts';
import { photo, sha256 } from '../support/fixtures.ts';
import { makeOtherBuild, type OtherBuild } from '../support/other-build.ts';
import {
  arrive,
  create,
  expectExactly,
  holdPart,
  mostParts,
  outboxRows,
  proofWorld,
  untilOutboxIsEmpty,
  video,
  write,
} from '../support/proof-world.ts';

const old = createStaticFiles(join(projectRoot, 'dist', 'client'));
let served = old;
let next: OtherBuild;
const staticFiles: StaticFiles = {
  serve: (c, path) => served.serve(c, path),
  page: (c, status) => served.page(c, status),
  screen: (c, mayBeMember) => served.screen(c, mayBeMember),
};
const world = proofWorld({ staticFiles });

beforeAll(async () => {
  next = await makeOtherBuild('next');
});
beforeEach(() => {
  served = old;
});
afterAll(() => next.remove());

const build = (page: Page) => page.evaluate<string>('document.documentElement.dataset.build ?? ""');

/** The server has the next release, and this page looks for it now instead of within the hour. */
async function release(page: Page): Promise<void> {
  served = createStaticFiles(next.directory);
  await page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one.update())');
}

async function update(page: Page): Promise<void> {
  await page.getByText('A new version is ready.').waitFor();
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await reloaded;
  await page.waitForFunction('document.documentElement.dataset.build === "next"');
}

it('an update in the middle of an upload, asked for in the tab that sends', async () => {
  const { ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const file = await video(24_000_000);
  await write(page, ada, 'Across versions', [file]);
  const places = watchAppended(world.server.deps.files);
  const third = await holdPart(world, page, 3);
  expect(await build(page)).toBe('');
  await release(page);
  // It is asked for while a part is held, and comes when what is being sent has been sent.
  const updated = update(page);
  await page.getByRole('button', { name: 'Update', exact: true }).waitFor({ state: 'detached' });
  // From here on no further part leaves.
  const held = 'navigator.locks.query().then(({ held }) => held.map(({ name }) => name))';
  await expect.poll(() => page.evaluate(held)).toContain('time-capsule-update');
  third.open();
  await updated;
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Across versions', files: [sha256(file.bytes)] }]);
  expect(third.parts()).toBeLessThanOrEqual(mostParts(file.bytes.length) + 1);
  expect(places().filter((at) => at === 0)).toHaveLength(1);
});

it('an update while one tab types and another one sends: nothing typed is lost, one capsule', async () => {
  const { ada } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  const kept = await photo();
  await write(page, ada, 'A draft', [kept]);
  const sender = await context.newPage();
  await sender.goto('/dashboard');
  const file = await video(17_000_000);
  await write(sender, ada, 'On its way', [file]);
  const second = await holdPart(world, sender, 2);

  await page.bringToFront();
  await release(page);
  await page.getByText('A new version is ready.').waitFor();
  await page.getByLabel('Capsule Title').fill('A draft, and the last word of it');
  const updated = update(page);
  second.open();
  await updated;
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByText('1 File(s) Selected').waitFor();
  expect(await page.getByLabel('Capsule Title').inputValue()).toBe(
    'A draft, and the last word of it',
  );
  await untilOutboxIsEmpty(page);
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [
    { title: 'On its way', files: [sha256(file.bytes)] },
    { title: 'A draft, and the last word of it', files: [sha256(kept.bytes)] },
  ]);
});

it('a capsule queued by the old version with the app closed is sent by the new one', async () => {
  const { wire, ada } = world;
  const { context, page } = world.visitor;
  await arrive(page, ada);
  const file = await photo();
  await write(page, ada, 'From the old one', [file]);
  await context.setOffline(true);
  await create(page);
  await page.waitForURL('/dashboard');
  await page.close();
  served = createStaticFiles(next.directory);
  // Neither the old page nor the old worker gets it out.
  wire.plan = ({ method, path }) =>
    method === 'POST' && path.startsWith('/api/')
      ? { kind: 'answer', status: 503, body: '' }
      : null;
  const blank = await context.newPage();
  await context.setOffline(false);
  await blank.goto('/');
  await update(blank);
  expect(await outboxRows(blank)).toHaveLength(1);
  wire.plan = () => null;
  await untilOutboxIsEmpty(blank);
  expect(await build(blank)).toBe('next');
  await expectExactly(world, ada, [{ title: 'From the old one', files: [sha256(file.bytes)] }]);
});
