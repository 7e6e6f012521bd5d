import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stopPostmaster } from '../../server/embedded-postgres/index.ts';
import { acceptStoreOfDatabase } from '../../server/operator/accept-store.ts';
import { admin } from '../../server/operator/admin.ts';
import { backup } from '../../server/operator/backup.ts';
import { asOrdinaryUser, createDataDirectory, spawnServer } from '../support/server-process.ts';

/** The users who own something in a folder. */
async function ownersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder, { recursive: true });
  const found = await Promise.all(['', ...names].map((name) => lstat(join(folder, name))));
  return [...new Set(found.map(({ uid }) => uid))];
}

/*
 * These commands run in the process of the test: as root where it is root's, which is where this
 * can fail.
 */
test('what an operator’s commands write can be used by a server of another user', async () => {
  const user = asOrdinaryUser();
  const data = await createDataDirectory(user);
  onTestFinished(data.remove);
  const server = data.start();
  await server.ready();
  server.kill('SIGTERM');
  await server.exited;
  const [owner] = await ownersIn(data.path);
  const environment = { DATA_DIR: data.path };
  // Both are made again by the commands.
  await rm(join(data.path, 'database', 'postgres.log'));
  await rm(join(data.path, 'files'), { recursive: true });

  const sent = await admin(environment, ['email-test', 'ops@example.org']);
  expect(sent).toMatchObject({ ok: true });
  expect(await acceptStoreOfDatabase(environment)).toMatchObject({ ok: true });
  const parent = await mkdtemp(join(tmpdir(), 'time-capsule-as-root-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  await chmod(parent, 0o755);
  const folder = join(parent, 'copy');
  expect(await backup(environment, folder)).toMatchObject({ ok: true });

  expect(await ownersIn(data.path)).toEqual([owner]);
  expect(await ownersIn(folder)).toEqual([owner]);
  await data.start().ready();
  const copy = spawnServer(user, tmpdir(), { DATA_DIR: folder });
  onTestFinished(async () => {
    copy.kill('SIGKILL');
    await copy.exited;
    await stopPostmaster(join(folder, 'database', 'cluster'));
  });
  await copy.ready();
});
