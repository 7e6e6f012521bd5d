import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { createClient } from './client.ts';
import { isDatabaseAway } from './errors.ts';
import { createPool } from './pool.ts';

let database: TestDatabase;
let line: Line;
beforeAll(async () => {
  database = await createTestDatabase();
  line = await startLine(database.address.socketPath);
});
afterAll(async () => {
  await line.close();
  await database.close();
});

interface Line {
  port: number;
  /** Takes everything, and passes nothing on, in either direction. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

async function startLine(socketPath: string): Promise<Line> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(socketPath);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
      if (isFrozen) one.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const each = (does: (socket: Socket) => void) => sockets.forEach(does);
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true;
      each((socket) => socket.pause());
    },
    thaw() {
      isFrozen = false;
      each((socket) => socket.resume());
    },
    async close() {
      each((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('a request that asks a silent database for one thing after the other waits once', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (text) => void lines.push(JSON.parse(text).msg) });
  const url = `postgres://postgres@127.0.0.1:${line.port}/${database.address.database}`;
  const pool = createPool((max = 3) => createClient({ url }, { log, max }), log, {
    askEveryMs: 50,
    silentAfterMs: 1_000,
  });
  const ask = () => pool.sql.unsafe('select 1 as one');
  const change = () => pool.sql.begin((tx) => tx`select 2`);
  await ask();
  pool.watch();
  line.freeze();
  for (const statement of [ask, change, ask, change]) {
    const error = await statement().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isDatabaseAway(error)).toBe(true);
    expect(lines).toEqual(['The database does not answer. Giving up its connections …']);
  }
  line.thaw();
  await expect
    .poll(() =>
      ask().then(
        (rows) => rows[0]?.one,
        () => null,
      ),
    )
    .toBe(1);
  expect(lines.at(-1)).toBe('The database answers again.');
  await pool.close();
});
