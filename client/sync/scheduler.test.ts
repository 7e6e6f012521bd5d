import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { closeDatabase, openDatabase } from '../db/database.ts';
import { outboxQueue } from './drain.ts';
import { saveSoon, startScheduler } from './scheduler.ts';

it('what is typed while something is sent leaves a few seconds after it, once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
  let runs = 0;
  let release = () => {};
  const stop = startScheduler({
    ...outboxQueue(),
    next: async () => Infinity,
    send: async () => {
      runs += 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    },
  });
  for (let key = 0; key < 100; key += 1) saveSoon();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(1);
  release();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(runs).toBe(2);
  release();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(2);
  stop();
  vi.useRealTimers();
});

it('ends quietly when the session ends while it starts', async () => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
  const failures: unknown[] = [];
  const note = (reason: unknown) => failures.push(reason);
  process.on('unhandledRejection', note);

  await openDatabase(sampleId(101));
  const stop = startScheduler(outboxQueue());
  stop();
  closeDatabase();
  await new Promise((resolve) => setTimeout(resolve, 50));

  process.off('unhandledRejection', note);
  expect(failures).toEqual([]);
});
