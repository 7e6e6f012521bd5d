import { mkdtemp, open, rm, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chanceOf } from '../support/chance.ts';
import { type FixtureFile, sha256 } from '../support/fixtures.ts';
import {
  arrive,
  create,
  expectExactly,
  keepDraftsHere,
  proofWorld,
  SLOW_DISK,
  untilOutboxIsEmpty,
  video,
  write,
} from '../support/proof-world.ts';
import { until } from '../support/until.ts';

const world = proofWorld();

/** A real folder: the browser has nothing of a picked file but its name and place. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'time-capsule-picked-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function onDisk(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function begin(title: string, { staysHere = false } = {}): Promise<Page> {
  const { page } = world.visitor;
  await arrive(page, world.ada);
  if (staysHere) await keepDraftsHere(page);
  await write(page, world.ada, title);
  await page.getByRole('tab', { name: 'Content' }).click();
  return page;
}

const pick = (page: Page, paths: string[]) => page.locator('input[type=file]').setInputFiles(paths);

type Outcome = 'kept' | 'refused';

/** How the copying of `name` ended: kept, or refused with a sentence that names it. */
function outcome(page: Page, name: string): Promise<Outcome> {
  return until(
    async () => {
      const rows = await page.evaluate<{ complete: boolean }[]>('readRows("attachments")');
      if (rows.length > 0 && rows.every(({ complete }) => complete)) return 'kept';
      const sentence = page.getByText(`“${name}” couldn't be read.`);
      return (await sentence.isVisible()) ? 'refused' : null;
    },
    { seconds: 90, everyMs: 200 },
  );
}

it('deleted once it is picked and copied: all of it is sent', async () => {
  const { ada } = world;
  const file = await video(9_000_000);
  const path = await onDisk(file.name, file.bytes);
  const page = await begin('Gone from the disk');
  await pick(page, [path]);
  expect(await outcome(page, file.name)).toBe('kept');
  await unlink(path);
  await page.reload();
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByText('1 File(s) Selected').waitFor();
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Gone from the disk', files: [sha256(file.bytes)] }]);
});

const CHANGES = {
  deleted: (path: string) => unlink(path),
  'cut short': async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2)),
  emptied: (path: string) => truncate(path, 0),
  'overwritten in place': async (path: string) => {
    const handle = await open(path, 'r+');
    const { size } = await handle.stat();
    await handle.write(Buffer.alloc(size, 'x'), 0, size, 0);
    await handle.close();
  },
};

/** The copy ends as it should: refused by name, or kept; then what is sealed is that. */
async function expectSealed(page: Page, file: FixtureFile, ended: Outcome): Promise<void> {
  if (ended === 'refused') {
    await page
      .getByText(
        `“${file.name}” couldn't be read. It may have been moved, changed or deleted. Your text`,
      )
      .waitFor();
    // Its name stays until the person has taken it out.
    await page.getByText('Not saved on this device.').waitFor();
    await create(page);
    await page.getByText(`We can't read “${file.name}”.`).first().waitFor();
    await page.getByRole('button', { name: `Remove ${file.name}` }).click();
    await page.getByText('1 File(s) Selected').waitFor({ state: 'detached' });
  }
  await create(page);
  await untilOutboxIsEmpty(page);
  const files = ended === 'kept' ? [sha256(file.bytes)] : [];
  await expectExactly(world, world.ada, [{ title: 'Moving target', files }]);
}

/** What is gone cannot have been copied; of what was overwritten the old bytes may be. */
const ALWAYS_REFUSED = ['deleted', 'cut short', 'emptied'];

for (const [what, change] of Object.entries(CHANGES)) {
  const isRefused = ALWAYS_REFUSED.includes(what);
  const end = isRefused ? 'refused by name' : 'whole as it was picked, or refused by name';
  it(`${what} while it is being copied: ${end}`, async () => {
    const file = await video(24_000_000);
    const path = await onDisk(file.name, file.bytes);
    const page = await begin('Moving target');
    await page.evaluate(SLOW_DISK);
    await pick(page, [path]);
    await page.getByText(/^Copying… \d+%$/).waitFor();
    await change(path);
    const ended = await outcome(page, file.name);
    if (isRefused) expect(ended).toBe('refused');
    await expectSealed(page, file, ended);
  });
}

it('changed at any moment after it was picked: whole as it was picked, or refused by name', async () => {
  const chance = chanceOf('picked file changed');
  const file = await video(24_000_000);
  const path = await onDisk(file.name, file.bytes);
  const page = await begin('Moving target');
  await pick(page, [path]);
  const change = chance.oneOf<keyof typeof CHANGES>(
    ['deleted', 'cut short', 'emptied', 'overwritten in place'],
    'changed so:',
  );
  await delay(chance.whole(0, 400, 'changed after'));
  await CHANGES[change](path);
  await expectSealed(page, file, await outcome(page, file.name));
});

it('overwritten in place while its last chunk is being read: refused by name', async () => {
  const file = await video(3_000_000);
  const path = await onDisk(file.name, file.bytes);
  const page = await begin('Moving target');
  await page.exposeFunction('overwrite', () => CHANGES['overwritten in place'](path));
  await page.evaluate(CHANGED_AFTER_FIRST_READ);
  await pick(page, [path]);
  const ended = await outcome(page, file.name);
  expect(ended).toBe('refused');
  await expectSealed(page, file, ended);
});

/** The first read of a picked file returns when the file has been overwritten. */
const CHANGED_AFTER_FIRST_READ = `{
  const { arrayBuffer } = Blob.prototype;
  let isFirst = true;
  Blob.prototype.arrayBuffer = async function changed() {
    const found = await arrayBuffer.call(this);
    if (isFirst) {
      isFirst = false;
      await overwrite();
    }
    return found;
  };
} undefined`;
