import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { resetLastSeen } from '../../server/db/server-state.ts';
import { openEmbeddedDatabase } from '../../server/embedded-postgres/index.ts';
import { acceptClock } from '../../server/operator/accept-clock.ts';
import { createDataDirectory, type DataDirectory } from '../support/server-process.ts';

const NOT_FOLLOWED = expect.stringMatching(/^The system clock is more than a day before/);
const FOUR_HUNDRED_DAYS = 400 * 86_400_000;

/** One run of the server from start to stop. @returns what it has logged. */
async function runOnce(data: DataDirectory, whileRunning = async () => {}): Promise<string[]> {
  const server = data.start();
  await server.ready();
  await whileRunning();
  server.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
  return server.messages();
}

/** As if the last run had seen a time that the system clock now lies far before. */
async function rememberFuture(data: DataDirectory): Promise<void> {
  const embedded = await openEmbeddedDatabase(data.path);
  const log = pino({ level: 'silent' });
  const { db, close } = await openDatabase({ address: embedded.address, log });
  await resetLastSeen(db, new Date(Date.now() + FOUR_HUNDRED_DAYS));
  await close();
  await embedded.leave();
}

test('a clock that was set back is not followed until the operator accepts it', async () => {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  expect(await runOnce(data)).not.toContainEqual(NOT_FOLLOWED);
  await rememberFuture(data);

  const accepting = async () => {
    const accepted = /^The clock of this machine is accepted: \S+Z\. The last time seen was \S+Z\./;
    expect(await acceptClock({ DATA_DIR: data.path })).toEqual({
      ok: true,
      lines: [expect.stringMatching(accepted)],
    });
  };
  expect(await runOnce(data, accepting)).toContainEqual(NOT_FOLLOWED);
  expect(await runOnce(data)).not.toContainEqual(NOT_FOLLOWED);
});

test('the operator can accept the clock while the server is stopped', async () => {
  const data = await createDataDirectory();
  onTestFinished(data.remove);
  await runOnce(data);
  await rememberFuture(data);
  expect((await acceptClock({ DATA_DIR: data.path })).ok).toBe(true);
  expect(await data.postmaster()).toBeNull();
  expect(await runOnce(data)).not.toContainEqual(NOT_FOLLOWED);
});

test('a wrong environment is one line here, too', async () => {
  expect(await acceptClock({ PORT: 'x' })).toEqual({
    ok: false,
    lines: ['PORT is not usable: it must be a whole number from 0 to 65535 (it is "x").'],
  });
});
