import { Readable } from 'node:stream';
import { beforeEach, expect, it } from 'vitest';
import { GO_ON, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { createMemoryStore, type MemoryStore } from '../../tests/support/memory-store.ts';
import { until } from '../../tests/support/until.ts';
import { tryLock } from '../db/advisory-locks.ts';
import { createClient } from '../db/client.ts';
import { pendingFiles, serverState } from '../db/schema.ts';
import { raiseLastSeen } from '../db/server-state.ts';
import { insertPending, releaseFiles, takePending } from '../db/storage/pending-files.ts';
import { claimStore } from '../domain/storage/store-identity.ts';
import { removeUnlessNamed } from '../domain/storage/stored-files.ts';
import { removeReleased } from './remove-files.ts';

const DAY_MS = 86_400_000;

const { database, world } = sharedMailWorld();
let files: MemoryStore;
beforeEach(async () => {
  files = createMemoryStore();
  await database.db.delete(pendingFiles);
  await database.db.delete(serverState);
  await raiseLastSeen(database.db, world.deps.clock.now());
});

const deps = () => ({ ...world.deps, files });
const pass = () => removeReleased(deps(), GO_ON);
const rows = () => database.db.select().from(pendingFiles);
const begin = (key: string) => insertPending(database.db, key, world.deps.clock.now());
const store = (key: string) => files.write(key, Readable.from([key]));
const name = (...keys: string[]) => database.db.transaction((tx) => takePending(tx, keys));

it('a crash at any step leaves nothing a day later, and takes nothing that has a name', async () => {
  await begin('without-bytes');
  await begin('half');
  await files.append('half', 0, Readable.from(['x']));
  for (const key of ['whole', 'named']) {
    await begin(key);
    await store(key);
  }
  expect(await name('named')).toBe(true);
  world.advance(DAY_MS - 1);
  await begin('young');
  await pass();
  expect(files.keys()).toEqual(['half', 'named', 'whole']);
  world.advance(1);
  await pass();
  expect(files.keys()).toEqual(['named']);
  expect((await rows()).map(({ storageKey }) => storageKey)).toEqual(['young']);
});

it('what was released cannot be named any more, and neither can what comes with it', async () => {
  for (const key of ['late', 'in-time']) await begin(key);
  await store('late');
  await database.db.transaction(async (tx) => {
    await takePending(tx, ['late']);
    await releaseFiles(tx, ['late']);
  });
  expect(await name('late', 'in-time')).toBe(false);
});

it('waits for whoever names a file at this very moment, and leaves it', async () => {
  await begin('sealed');
  await store('sealed');
  world.advance(DAY_MS);
  let passing: Promise<unknown> = Promise.resolve();
  await database.db.transaction(async (tx) => {
    await takePending(tx, ['sealed']);
    passing = pass();
    await until(async () => {
      const waiting = await database.sql`
        select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length > 0 ? true : null;
    });
  });
  await passing;
  expect(files.keys()).toEqual(['sealed']);
});

it('after a failure removes what has no name, and keeps what a lost commit has named', async () => {
  for (const key of ['named', 'refused']) {
    await begin(key);
    await store(key);
  }
  await name('named');
  const away = Object.assign(new Error('no'), { code: '57P01' });
  await removeUnlessNamed(deps(), ['named', 'refused'], away);
  expect(files.keys()).toEqual(['named', 'refused']);
  await removeUnlessNamed(deps(), ['named', 'refused'], new Error('?'));
  expect(files.keys()).toEqual(['named']);
  expect(await rows()).toEqual([]);
});

it('keeps trying those that cannot be removed, and removes the others', async () => {
  await releaseFiles(database.db, ['1', '2', '3']);
  for (const key of ['1', '2', '3']) await store(key);
  const remove = files.delete;
  files.delete = async (keys) => {
    await remove(keys.filter((key) => key !== '2'));
    return new Map(keys.includes('2') ? [['2', new Error('refused')]] : []);
  };
  await pass();
  expect(files.keys()).toEqual(['2']);
  expect(await rows()).toEqual([{ storageKey: '2', since: null }]);
  files.delete = remove;
  await pass();
  expect(files.keys()).toEqual([]);
});

it('deletes nothing while a backup is made, and afterwards what waited for it', async () => {
  await releaseFiles(database.db, ['released']);
  await store('released');
  const backup = createClient(database.address, { log: world.deps.log, max: 1 });
  expect(await tryLock(backup, 'backup')).toBe(true);
  await pass();
  expect(files.keys()).toEqual(['released']);
  await backup.end();
  await pass();
  expect(files.keys()).toEqual([]);
});

it('deletes nothing from the store of another database, and says so', async () => {
  await releaseFiles(database.db, ['ours']);
  await claimStore({ db: database.db, files }, 'the cellar');
  const others = createMemoryStore();
  await others.write('store-identity', Readable.from(['another']));
  await others.write('ours', Readable.from(['theirs']));
  const passing = removeReleased({ ...world.deps, files: others }, GO_ON);
  await expect(passing).rejects.toThrow('belong to another database');
  expect(others.keys()).toEqual(['ours', 'store-identity']);
});
