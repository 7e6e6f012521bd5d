import { spawnSync } from 'node:child_process';
import { Agent, type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createDataDirectory } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const AT_ONCE = 12;
/** Asks the database. */
const TOKEN = '/auth/validate-token?token=abcdefabcdefabcdefabcdef';

test('without a descriptor for the database the answer is 503 with a time, and afterwards all is well', async () => {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  const server = data.start();
  const { hostname: host, port } = new URL(await server.ready());
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const get = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request({ host, port, path, agent }, (answer) => {
        answer.resume().on('end', () => resolve(answer));
      })
        .on('error', reject)
        .end();
    });
  const getAll = (path: string) => Promise.all(Array.from({ length: AT_ONCE }, () => get(path)));
  const limitTo = (count: number) =>
    expect(spawnSync('prlimit', [`--pid=${server.pid}`, `--nofile=${count}:`]).status).toBe(0);

  // Connections of clients that are open already, more than those to the database.
  await getAll('/healthz');
  limitTo(1);
  const answers = await getAll(TOKEN);
  limitTo(1_000);
  const refused = answers.filter(({ statusCode }) => statusCode !== 400);
  expect(refused.length).toBeGreaterThan(0);
  for (const { statusCode, headers } of refused) {
    expect([statusCode, headers['retry-after']]).toEqual([503, '2']);
  }
  await until(async () => ((await get(TOKEN)).statusCode === 400 ? true : null));
});
