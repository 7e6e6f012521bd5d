import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DraftPatch } from '../db/drafts.ts';
import { createDraftSaver, RETRY_AFTER_MS } from './draft-saver.ts';

const title = (text: string): DraftPatch => ({ fields: { title: text } });

function setUp(write: (patch: DraftPatch) => Promise<void> = async () => undefined) {
  const written: DraftPatch[] = [];
  const onFailed = vi.fn();
  const onIdle = vi.fn();
  const saver = createDraftSaver(
    (patch) => {
      written.push(patch);
      return write(patch);
    },
    onFailed,
    onIdle,
  );
  return { saver, written, onFailed, onIdle };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('writes at once, in the same task', async () => {
  const { saver, written } = setUp();
  saver.save(title('L'));
  expect(written).toEqual([title('L')]);
  expect(saver.pending()).toEqual(title('L'));
  expect(await saver.flush()).toBe(true);
  expect(saver.pending()).toBeNull();
});

it('writes one at a time: what came meanwhile goes together, the newest of each field', async () => {
  let finish = () => {};
  const first = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { saver, written } = setUp(({ fields }) =>
    fields?.title === 'L' ? first : Promise.resolve(),
  );
  saver.save(title('L'));
  saver.save(title('La'));
  saver.save({ fields: { description: 'Cold' } });
  saver.save(title('Lake'));
  expect(written).toHaveLength(1);
  expect(saver.pending()).toEqual({ fields: { title: 'Lake', description: 'Cold' } });
  finish();
  await saver.flush();
  expect(written.slice(1)).toEqual([{ fields: { title: 'Lake', description: 'Cold' } }]);
});

it('goes on trying with the newest until there is room, and says that it failed', async () => {
  let isFull = true;
  const full = new Error('QuotaExceededError');
  const { saver, written, onFailed, onIdle } = setUp(async () => {
    if (isFull) throw full;
  });
  saver.save(title('Lake'));
  expect(await saver.flush()).toBe(false);
  expect(onFailed).toHaveBeenCalledWith(full);
  saver.save({ fields: { description: 'Cold' } });
  expect(await saver.flush()).toBe(false);
  expect(onIdle).not.toHaveBeenCalled();
  isFull = false;
  await vi.advanceTimersByTimeAsync(RETRY_AFTER_MS);
  expect(written.at(-1)).toEqual({ fields: { title: 'Lake', description: 'Cold' } });
  expect(saver.pending()).toBeNull();
  expect(onIdle).toHaveBeenCalledOnce();
});

it('writes nothing more of a draft that is sealed or discarded', async () => {
  const { saver, written } = setUp(() => Promise.reject(new Error('QuotaExceededError')));
  saver.save(title('Lake'));
  await saver.flush();
  saver.drop();
  await vi.advanceTimersByTimeAsync(2 * RETRY_AFTER_MS);
  expect(written).toHaveLength(1);
  expect(saver.pending()).toBeNull();
});

it('says of each field what stood there before the first change, and what was seen then', async () => {
  const { saver, written } = setUp();
  const change = (text: string, base: string, seen: number): DraftPatch => ({
    fields: { title: text },
    base: { title: base },
    seen,
  });
  saver.save(change('a', '', 1));
  saver.save(change('ab', 'a', 2));
  saver.save(change('abc', 'ab', 3));
  await saver.flush();
  expect(written).toEqual([change('a', '', 1), change('abc', 'a', 2)]);
});
