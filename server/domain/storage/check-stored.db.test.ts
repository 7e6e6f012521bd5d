import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { rare } from '../../../tests/support/rare.ts';
import { findOperatorActions } from '../../db/operator/operator-actions.ts';
import { capsuleFiles, capsules, serverState, uploads, users } from '../../db/schema.ts';
import { findReleased } from '../../db/storage/pending-files.ts';
import { eachStored } from '../../db/storage/stored.ts';
import { createDiskStore } from '../../files/disk.ts';
import type { FileStore } from '../../files/file-store.ts';
import { acceptLoss, checkStored } from './check-stored.ts';
import { claimStore } from './store-identity.ts';

const TEXT = 'Dear future me';
const ADA = 'ada@example.com';
const AVATAR = `avatars/${randomUUID()}`;
const FIRST = `capsules/${randomUUID()}`;
const SECOND = `capsules/${randomUUID()}`;

const { database, world } = sharedMailWorld();
let root: string;
let files: FileStore;
let capsuleId: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'check-stored-'));
  files = createDiskStore(root);
  const ada = await world.addPerson('Ada', { email: ADA, avatarKey: AVATAR });
  await files.write(AVATAR, Readable.from(['a picture']));
  const capsule = await world.addCapsule(ada, [ada], {
    mediaCount: 2,
    totalBytes: 2 * TEXT.length,
  });
  capsuleId = capsule.id;
  for (const [position, storageKey] of [FIRST, SECOND].entries()) {
    const stored = await files.write(storageKey, Readable.from([TEXT]));
    await database.db.insert(capsuleFiles).values({
      id: world.deps.ids.uuid(),
      capsuleId,
      position,
      name: 'letter.pdf',
      type: 'application/pdf',
      storageKey,
      ...stored,
    });
  }
});
afterEach(() => rm(root, { recursive: true }));

const check = (options = {}) =>
  checkStored({ db: database.db, files, clock: world.deps.clock }, options);

/** Where the store keeps a key. */
async function pathOf(key: string): Promise<string> {
  const name = key.replaceAll('/', '.');
  const found = (await readdir(root, { recursive: true })).find((path) => path.endsWith(name));
  return join(root, found ?? 'nowhere');
}

it('finds nothing where every row has its bytes, and reads what has a hash', async () => {
  const nothing = { faults: [], faulty: [], accepted: 0 };
  expect(await check()).toEqual({ files: 3, bytes: 2 * TEXT.length, ...nothing });
  expect(await check({ quick: true })).toEqual({ files: 3, bytes: 0, ...nothing });
});

it('names person, capsule and file whose bytes are missing, and no name that is still sealed', async () => {
  await files.delete([SECOND, AVATAR]);
  const { faults } = await check({ quick: true });
  expect(faults).toEqual([
    `${ADA}, capsule ${capsuleId}, file 2: its bytes are missing (${SECOND})`,
    `${ADA}, profile picture: its bytes are missing (${AVATAR})`,
  ]);
  await database.db.update(capsules).set({ unlockAt: world.deps.clock.now() });
  expect((await check({ quick: true })).faults[0]).toBe(
    `${ADA}, capsule ${capsuleId}, "letter.pdf": its bytes are missing (${SECOND})`,
  );
});

it('an accepted loss is no fault any more, and is in the trace', async () => {
  const { deps } = world;
  await files.delete([SECOND, AVATAR]);
  await acceptLoss({ ...deps, files, db: database.db }, await check(), 'the disk died');
  expect(await check()).toMatchObject({ files: 1, faults: [], accepted: 1 });
  const rows = await database.db.select().from(capsuleFiles);
  const lost = rows.filter(({ lostAt }) => lostAt !== null);
  expect(lost).toMatchObject([{ storageKey: SECOND, lostAt: deps.clock.now() }]);
  expect(await database.db.select().from(users)).toMatchObject([{ avatarKey: null }]);
  expect(await findOperatorActions(database.db)).toMatchObject([
    { command: 'accept-loss', address: ADA, reason: 'the disk died' },
  ]);
});

it('accepts nothing where the files are elsewhere by the end of the check', async () => {
  const { deps } = world;
  await claimStore({ db: database.db, files }, root);
  onTestFinished(
    async () => void (await database.db.update(serverState).set({ storeIsMarked: false })),
  );
  await files.delete([SECOND]);
  const found = await check();
  const unmounted = createDiskStore(join(root, 'unmounted'));
  const accepting = acceptLoss({ ...deps, files: unmounted, db: database.db }, found, 'lost');
  await expect(accepting).rejects.toThrow('The files of this database are not in');
  expect((await check()).accepted).toBe(0);
});

it('accepting the loss of what is there, but damaged, releases it where no row names it any more', async () => {
  const { deps } = world;
  const upload = `capsules/${randomUUID()}`;
  await files.write(upload, Readable.from(['damaged']));
  const [ada] = await database.db.select().from(users);
  await database.db.insert(uploads).values({
    id: deps.ids.uuid(),
    userId: ada?.id ?? '',
    name: 'letter.pdf',
    type: 'application/pdf',
    bytes: 8,
    received: 8,
    sha256: '0',
    storageKey: upload,
    createdAt: deps.clock.now(),
    touchedAt: deps.clock.now(),
  });
  const found = await check();
  const rows = await Readable.from(eachStored(database.db, deps.clock.now())).toArray();
  expect(found.faulty).toMatchObject([{ storageKey: upload }]);
  await acceptLoss({ ...deps, files }, { faulty: rows }, 'bits flipped');
  const released = await findReleased(database.db, { after: '', limit: 10 });
  expect(released).toEqual([AVATAR, upload]);
});

it('finds one flipped bit by the hash, and a cut end by the length', async () => {
  const path = await pathOf(FIRST);
  const bytes = await readFile(path);
  bytes[3] = (bytes[3] ?? 0) ^ 1;
  await writeFile(path, bytes);
  expect((await check()).faults).toEqual([
    `${ADA}, capsule ${capsuleId}, file 1: its bytes have changed (${FIRST})`,
  ]);
  await writeFile(path, bytes.subarray(1));
  expect((await check({ quick: true })).faults).toEqual([
    `${ADA}, capsule ${capsuleId}, file 1: 13 bytes instead of 14 (${FIRST})`,
  ]);
});

rare('looks at more rows than one query brings', async () => {
  const rows = Array.from({ length: 1_201 }, (_, position) => ({
    id: world.deps.ids.uuid(),
    capsuleId,
    position: position + 2,
    name: 'lost.pdf',
    type: 'application/pdf',
    bytes: 1,
    sha256: '0',
    storageKey: `lost/${position}`,
  }));
  await database.db.insert(capsuleFiles).values(rows);
  const { files: looked, faults } = await check({ quick: true });
  expect(looked).toBe(1_204);
  expect(faults.filter((fault) => fault.includes('missing'))).toHaveLength(1_201);
});

it('goes on behind bytes that cannot be read, and names them, but takes none of them for lost', async () => {
  const read: FileStore['read'] = async (key, range) => {
    if (key === FIRST) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    return files.read(key, range);
  };
  await files.delete([SECOND]);
  const { faults, faulty } = await checkStored({
    ...world.deps,
    db: database.db,
    files: { ...files, read },
  });
  expect(faults.sort()).toEqual(
    [
      `${ADA}, capsule ${capsuleId}, file 1: its bytes cannot be read (${FIRST})`,
      `${ADA}, capsule ${capsuleId}, file 2: its bytes are missing (${SECOND})`,
    ].sort(),
  );
  expect(faulty.map(({ storageKey }) => storageKey)).toEqual([SECOND]);
});
