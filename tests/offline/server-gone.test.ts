import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { SOCKET_NAME } from '../../server/embedded-postgres/index.ts';
import { createDiskStore } from '../../server/files/disk.ts';
import { removeReleased } from '../../server/jobs/remove-files.ts';
import { launchBrowser } from '../support/browser.ts';
import { chanceOf } from '../support/chance.ts';
import { signUp } from '../support/client.ts';
import { sha256 } from '../support/fixtures.ts';
import { leftBehind, sealedBy } from '../support/ledger.ts';
import {
  arrive,
  create,
  describePages,
  fewestParts,
  openWindow,
  untilOutboxIsEmpty,
  video,
  write,
} from '../support/proof-world.ts';
import { createDataDirectory, type DataDirectory } from '../support/server-process.ts';
import { startWire } from '../support/wire.ts';

let browser: Browser;
let data: DataDirectory;
beforeAll(async () => {
  [browser, data] = await Promise.all([launchBrowser(), createDataDirectory()]);
});
afterAll(async () => {
  await browser.close();
  await data.remove();
});

const ENVIRONMENT = { LOG_LEVEL: 'info', APP_URL: 'http://127.0.0.1' };
const DAY_MS = 86_400_000;

it('the server is killed in the middle of an upload, twice: it goes on from the part', async () => {
  const chance = chanceOf('server killed');
  let server = data.start(ENVIRONMENT);
  const url = await server.ready();
  const [ada, wire] = await Promise.all([signUp(url, 'Ada'), startWire(url)]);
  const { context, page } = await openWindow(browser, wire.url);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await describePages(context);
    await context.close();
    await wire.close();
  });
  await arrive(page, ada);
  const file = await video(24_000_000);
  const parts = fewestParts(file.bytes.length);
  await write(page, ada, 'Still here', [file]);

  const killsAt = [
    chance.whole(1, parts, 'killed at part'),
    // One more than the parts is the creation itself: its key is free again after a minute.
    chance.whole(2, chance.happens(0.15) ? parts + 1 : parts, 'killed at part'),
  ];
  /** Where each part began that was sent. */
  const offsets: number[] = [];
  let restarts = Promise.resolve();
  wire.plan = ({ method, path, offset }) => {
    const isPart = method === 'PATCH';
    if (offset !== null) offsets.push(offset);
    // A part that is sent again is the same part: at the second one something has been counted.
    const step = isPart
      ? Math.min(new Set(offsets).size, parts)
      : path === '/api/capsules' && method === 'POST'
        ? parts + 1
        : 0;
    const [at] = killsAt;
    if (at === undefined || step < at) return null;
    killsAt.shift();
    restarts = restarts.then(async () => {
      await delay(chance.whole(0, 40, 'milliseconds later'));
      server.kill('SIGKILL');
      await server.exited;
      server = data.start(ENVIRONMENT);
      wire.target = await server.ready();
    });
    return null;
  };
  await create(page);
  // Before it is queued, the outbox is empty too.
  await page.waitForURL('/dashboard', { timeout: 170_000 });
  await untilOutboxIsEmpty(page, 170);
  await restarts;

  const postmaster = await data.postmaster();
  const database = await openDatabase({
    address: { socketPath: join(postmaster?.socketDirectory ?? '', SOCKET_NAME) },
    log: pino({ level: 'silent' }),
  });
  onTestFinished(database.close);
  const { db } = database;
  // What was being written when the server died is removed a day later.
  const later = { now: () => new Date(Date.now() + 2 * DAY_MS) };
  const files = createDiskStore(join(data.path, 'files'));
  const log = pino({ level: 'silent' });
  await removeReleased({ db, files, clock: later, log }, new AbortController().signal);
  expect(await sealedBy({ db, files }, ada.user.id)).toEqual([
    { title: 'Still here', files: [sha256(file.bytes)] },
  ]);
  expect(await leftBehind({ db, config: { dataDir: data.path } })).toEqual([]);
  expect(killsAt).toEqual([]);
  // What has been counted is never sent again.
  expect(offsets).toEqual(offsets.toSorted((one, other) => one - other));
  expect(offsets.at(-1)).toBeGreaterThan(0);
});
