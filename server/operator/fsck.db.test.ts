import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../tests/support/database.ts';
import { createMailWorld } from '../../tests/support/mail-world.ts';
import { relayTo } from '../../tests/support/pooler.ts';
import { raiseLastSeen } from '../db/server-state.ts';
import { claimStore } from '../domain/storage/store-identity.ts';
import { createDiskStore } from '../files/disk.ts';
import { fsck } from './fsck.ts';

const database = await createTestDatabase();
const relay = await relayTo(inject('postgresSocket'));
afterAll(async () => {
  await relay.close();
  await database.close();
});

test('says what it has found also where it accepts nothing, as the files have gone meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-fsck-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { db, address } = database;
  const files = join(folder, 'files');
  await raiseLastSeen(db, new Date());
  await claimStore({ db, files: createDiskStore(files) }, files);
  await createMailWorld(db).addPerson('Ada', { avatarKey: 'avatars/lost' });
  const DATABASE_URL = `postgres://postgres@127.0.0.1:${relay.port}/${address.database}`;
  const waiting = sql`select 1 from pg_locks join pg_database on database = pg_database.oid
    where not granted and datname = current_database()`;
  const { checked } = await db.transaction(async (tx) => {
    await tx.execute('lock table uploads in access exclusive mode');
    const options = { acceptLoss: true, reason: 'the disk died' };
    const running = fsck({ DATABASE_URL, DATA_DIR: folder }, options);
    await expect.poll(async () => (await db.execute(waiting)).length).toBe(1);
    await rename(files, join(folder, 'away'));
    // In an object: by itself it would be waited for before the lock ends.
    return { checked: running };
  });
  expect(await checked).toEqual({
    ok: false,
    lines: [
      expect.stringContaining('profile picture: its bytes are missing'),
      '1 file checked: 1 missing or damaged.',
      expect.stringContaining(`The files of this database are not in ${files}.`),
    ],
  });
});
