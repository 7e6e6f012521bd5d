import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { uploads } from '../../server/db/schema.ts';
import { watchAppended } from '../support/appended.ts';
import { chanceOf } from '../support/chance.ts';
import type { SignedIn } from '../support/client.ts';
import type { Device } from '../support/device.ts';
import { backOnline } from '../support/dispatch-sync.ts';
import { pdf, photo, sha256 } from '../support/fixtures.ts';
import { sealedBy } from '../support/ledger.ts';
import {
  arrive,
  create,
  expectExactly,
  fewestParts,
  gate,
  KEPT,
  mostParts,
  outboxRows,
  proofWorld,
  queueCapsule,
  SLOW_DISK,
  untilOutboxIsEmpty,
  video,
  write,
} from '../support/proof-world.ts';
import { onDisk, SAVED, signInByForm } from '../support/screens.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const world = proofWorld({ window: false });

/** How often the browser is killed in the test of that name; `npm run proofs -- --kills N`. */
const KILLS = Number(process.env.PROOFS_KILLS ?? 4);

/** Bytes of the files of a capsule: none, small ones, one that goes in parts. */
const SIZES: readonly [number[], ...number[][]] = [
  [],
  [60_000],
  [300_000, 40_000],
  [5_000_000, 2_000_000],
  [18_000_000],
];

/** A device on which somebody signed in and closed the app, as most are found. */
async function signedInDevice(person: SignedIn): Promise<Device> {
  const device = await world.device();
  const { page, close } = await device.start();
  await arrive(page, person);
  // Chromium writes cookies to the disk half a minute later, or when it is closed.
  await close();
  return device;
}

/** What the server counts of a person's only upload, when no more of it comes; null without one. */
async function bytesCounted({ deps }: TestServer, { user }: SignedIn): Promise<number | null> {
  let known: number | null | undefined;
  await until(
    async () => {
      const [row] = await deps.db.select().from(uploads).where(eq(uploads.userId, user.id));
      const now = row?.received ?? null;
      const isStill = now === known;
      known = now;
      return isStill || null;
    },
    { everyMs: 500 },
  );
  return known ?? null;
}

it('sealed offline, the app closed: back online, the worker sends it', async () => {
  const { server, wire, ada } = world;
  const device = await signedInDevice(ada);
  const { context, page } = await device.start();
  await page.goto('/dashboard');
  const file = await photo();
  await write(page, ada, 'Closed', [file]);
  await context.setOffline(true);
  await create(page);
  await page.getByText(KEPT).waitFor();
  const blank = await context.newPage();
  await page.close();
  expect(blank.url()).toBe('about:blank');
  expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);
  await backOnline(context, wire.url);
  await expectExactly(world, ada, [{ title: 'Closed', files: [sha256(file.bytes)] }], 60);
  expect(wire.requests.filter((line) => line === 'POST /api/capsules')).toHaveLength(1);
});

it('sealed offline, the browser killed: started again with a blank page, it sends it', async () => {
  const { server, ada } = world;
  const device = await signedInDevice(ada);
  const first = await device.start();
  await first.page.goto('/dashboard');
  const file = await photo();
  await write(first.page, ada, 'Killed', [file]);
  await first.context.setOffline(true);
  await create(first.page);
  await first.page.getByText(KEPT).waitFor();
  await first.kill();
  expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);

  const { context } = await device.start();
  await expectExactly(world, ada, [{ title: 'Killed', files: [sha256(file.bytes)] }], 60);
  expect(context.pages().map((page) => page.url())).toEqual(['about:blank']);
});

it('killed at a random byte of a large upload: it goes on from the part', async () => {
  const chance = chanceOf('killed in an upload');
  const { server, wire, ada } = world;
  const device = await signedInDevice(ada);
  const first = await device.start();
  await first.page.goto('/dashboard');
  const file = await video(chance.whole(24_000_000, 40_000_000, 'bytes'));
  const parts = fewestParts(file.bytes.length);
  await write(first.page, ada, 'Cut off', [file]);
  const places = watchAppended(server.deps.files);
  const killAt = chance.whole(1, parts, 'killed at part');
  const after = chance.whole(0, 300, 'milliseconds after it began');
  const reached = gate();
  let sent = 0;
  wire.pace = 16_000_000;
  wire.plan = ({ method }) => {
    if (method !== 'PATCH') return null;
    sent += 1;
    if (sent === killAt) void reached.pass();
    return null;
  };
  await create(first.page);
  await reached.reached;
  await delay(after);
  await first.kill();
  // All of it, when nothing is left to be sent.
  const counted = (await bytesCounted(server, ada)) ?? file.bytes.length;
  const before = places().length;
  if (killAt > 1) expect(counted).toBeGreaterThan(0);

  wire.pace = null;
  const { page } = await device.start();
  await page.goto('/');
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Cut off', files: [sha256(file.bytes)] }]);
  // What was on its way when the browser died may have been counted a moment later still.
  expect(Math.min(...places().slice(before), file.bytes.length)).toBeGreaterThanOrEqual(counted);
  expect(sent).toBeLessThanOrEqual(mostParts(file.bytes.length) + 1);
});

it(
  `killed ${KILLS} times at random moments, on and off line: each capsule arrives once`,
  async () => {
    const chance = chanceOf('killed again and again');
    const { wire, ada } = world;
    const device = await signedInDevice(ada);
    const expected: { title: string; files: string[] }[] = [];
    wire.pace = 12_000_000;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const { context, page, kill: end } = await device.start();
      await page.goto('/dashboard');
      await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();
      while ((await outboxRows(page)).length < 2) {
        const title = `Capsule ${expected.length + 1}`;
        const fileBytes = chance.oneOf(SIZES, title);
        const files = await queueCapsule(page, {
          ...{ userId: ada.user.id, email: ada.user.email, title, fileBytes },
          ...{ dateToUnlock: '2099-01-01', seed: expected.length + 1 },
        });
        expected.push({ title, files });
      }
      const sometimesGone = chance.happens(0.3);
      if (sometimesGone) await page.goto('about:blank');
      else await page.evaluate('dispatchEvent(new Event("online"))');
      const toggles = chance.whole(0, 3, 'toggles');
      for (let toggle = 0; toggle < toggles; toggle += 1) {
        await context.setOffline(toggle % 2 === 0);
        await delay(chance.whole(0, 250, 'toggled after'));
      }
      await delay(chance.whole(0, 2_000, `kill ${kill} after`));
      await end();
    }
    wire.pace = null;
    const { page } = await device.start();
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();
    await page.evaluate('dispatchEvent(new Event("online"))');
    await untilOutboxIsEmpty(page);
    await expectExactly(world, ada, expected);
  },
  300_000 + KILLS * 30_000,
);

it('killed while files are being copied: the draft is there, and says which files are not', async () => {
  const { ada } = world;
  const device = await signedInDevice(ada);
  const first = await device.start();
  await first.page.goto('/dashboard');
  await write(first.page, ada, 'Half copied', [await photo('Whole.jpg')]);
  await first.page.evaluate(SLOW_DISK);
  const others = await onDisk([await video(24_000_000), pdf('Letter.pdf')]);
  await first.page.locator('input[type=file]').setInputFiles(others);
  await first.page.getByText(/^Copying… \d+%$/).waitFor();
  await first.page.getByText('Waiting to be copied…').waitFor();
  await first.kill();

  const { page } = await device.start();
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Continue Half copied' }).click();
  await page.getByRole('tab', { name: 'Content' }).click();
  const lost = page.getByRole('listitem').filter({ hasText: 'Not saved on this device.' });
  await expect.poll(() => lost.allInnerTexts(), { timeout: 30_000 }).toHaveLength(2);
  const names = (await lost.allInnerTexts()).map((text) => text.split('\n')[0]);
  expect(names).toEqual(['Film.mp4', 'Letter.pdf']);
  expect(await page.getByLabel('Capsule Title').inputValue()).toBe('Half copied');
  // It says so until they are here again: nothing can be sealed without them by mistake.
  await page.reload();
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByText('3 File(s) Selected').waitFor();
  await create(page);
  await page.getByText("We can't read “Film.mp4”, “Letter.pdf”.").first().waitFor();
  await page.locator('input[type=file]').setInputFiles(others);
  await lost.first().waitFor({ state: 'detached' });
  await page.getByText('3 File(s) Selected').waitFor();
  await create(page);
  await untilOutboxIsEmpty(page);
  const files = [await photo('Whole.jpg'), await video(24_000_000), pdf('Letter.pdf')];
  const hashes = files.map(({ bytes }) => sha256(bytes));
  await expectExactly(world, ada, [{ title: 'Half copied', files: hashes }]);
});

it('days later the session is over: it waits for the sign-in, and goes then', async () => {
  const { server, wire, ada } = world;
  const device = await signedInDevice(ada);
  const first = await device.start();
  await first.page.goto('/dashboard');
  await write(first.page, ada, 'Much later', [await photo()]);
  await first.page.getByRole('button', { name: '1 year', exact: true }).click();
  await first.page.getByText(SAVED).waitFor();
  await first.context.setOffline(true);
  await create(first.page);
  await first.page.getByText(KEPT).waitFor();
  await first.close();

  const asked = () => wire.requests.filter((line) => line === 'GET /user/me').length;
  const known = asked();
  const before = server.clock.now();
  server.clock.advance({ days: 35 });
  try {
    const { page } = await device.start();
    // The browser tries with no page open, and learns that nobody is signed in.
    await expect.poll(asked, { timeout: 30_000 }).toBeGreaterThan(known);
    await page.goto('/dashboard');
    await page.waitForURL('/');
    expect(await sealedBy(server.deps, ada.user.id)).toEqual([]);
    await signInByForm(page, { email: ada.user.email, password: ada.password });
    await untilOutboxIsEmpty(page);
    const file = await photo();
    await expectExactly(world, ada, [{ title: 'Much later', files: [sha256(file.bytes)] }]);
  } finally {
    server.clock.set(before);
  }
});
