import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Sql } from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../../server/db/advisory-locks.ts';
import { createClient } from '../../server/db/client.ts';
import { SOCKET_NAME } from '../../server/embedded-postgres/index.ts';
import { move } from '../../server/operator/move.ts';
import { createDataDirectory, type DataDirectory } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });

/** A PostgreSQL that takes connections and never answers, for which a move waits that has its own. */
async function silentDatabase() {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://127.0.0.1:${port}/capsules`, asked: once(server, 'connection') };
}

/** Ends the database until it is ours when it comes back, as another server might have it. */
async function takeOver(data: DataDirectory): Promise<Sql> {
  const { pid, socketDirectory } = await until(() => data.postmaster());
  process.kill(pid, 'SIGKILL');
  for (;;) {
    const sql = createClient(
      { socketPath: join(socketDirectory, SOCKET_NAME) },
      {
        log,
        max: 1,
        max_lifetime: null,
        // A query of the driver's own, which it leaves unhandled where the database ends under it.
        fetch_types: false,
        connection: { application_name: 'time-capsule server, process 1' },
      },
    );
    const isOurs = await tryLock(sql, 'server').catch(() => null);
    if (isOurs) return sql;
    await sql.end({ timeout: 0 });
    const again = await data.postmaster();
    if (isOurs === false && again) process.kill(again.pid, 'SIGKILL');
  }
}

test('a move whose data directory another server takes fails, and leaves it its database', async () => {
  const data = await createDataDirectory();
  onTestFinished(() => data.remove());
  const server = data.start();
  await server.ready();
  server.kill('SIGTERM');
  await server.exited;

  const { url, asked } = await silentDatabase();
  const moved = move({ DATA_DIR: data.path }, { to: url });
  await asked;
  const sql = await takeOver(data);
  expect(await moved).toMatchObject({ ok: false });
  expect(await data.postmaster()).toMatchObject({ ready: true });
  await sql.end();
});
