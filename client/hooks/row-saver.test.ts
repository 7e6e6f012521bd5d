import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRowSaver, RETRY_AFTER_MS } from './row-saver.ts';

function setUp(write = async (_: string): Promise<void> => undefined) {
  const written: string[] = [];
  const onFailed = vi.fn();
  const onIdle = vi.fn();
  let text = '';
  const saver = createRowSaver(
    () => {
      written.push(text);
      return write(text);
    },
    onFailed,
    onIdle,
  );
  const type = (typed: string) => {
    text = typed;
    saver.save();
  };
  return { saver, type, written, onFailed, onIdle };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('writes at once, in the same task', async () => {
  const { saver, type, written } = setUp();
  type('L');
  expect(written).toEqual(['L']);
  expect(saver.isBehind()).toBe(true);
  expect(await saver.flush()).toBe(true);
  expect(saver.isBehind()).toBe(false);
});

it('writes one at a time: what came meanwhile goes together', async () => {
  let finish = () => {};
  const first = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { saver, type, written } = setUp((text) => (text === 'L' ? first : Promise.resolve()));
  type('L');
  type('La');
  type('Lake');
  expect(written).toEqual(['L']);
  finish();
  await saver.flush();
  expect(written).toEqual(['L', 'Lake']);
});

it('goes on trying with the newest until there is room, and says that it failed', async () => {
  let isFull = true;
  const full = new Error('QuotaExceededError');
  const { saver, type, written, onFailed, onIdle } = setUp(async () => {
    if (isFull) throw full;
  });
  type('La');
  expect(await saver.flush()).toBe(false);
  expect(onFailed).toHaveBeenCalledWith(full);
  type('Lake');
  expect(await saver.flush()).toBe(false);
  expect(onIdle).not.toHaveBeenCalled();
  isFull = false;
  await vi.advanceTimersByTimeAsync(RETRY_AFTER_MS);
  expect(written.at(-1)).toBe('Lake');
  expect(saver.isBehind()).toBe(false);
  expect(onIdle).toHaveBeenCalledOnce();
});

it('writes nothing more of a draft that is sealed or discarded', async () => {
  const { saver, type, written } = setUp(() => Promise.reject(new Error('QuotaExceededError')));
  type('Lake');
  saver.drop();
  await vi.advanceTimersByTimeAsync(2 * RETRY_AFTER_MS);
  expect(written).toEqual(['Lake']);
  expect(saver.isBehind()).toBe(false);
});
