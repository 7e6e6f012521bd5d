import 'fake-indexeddb/auto';
import { afterEach, expect, it, vi } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { closeDatabase, openDatabase } from '../db/database.ts';
import { outboxQueue } from './drain.ts';
import { startScheduler } from './scheduler.ts';

afterEach(() => vi.unstubAllGlobals());

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
