import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inTurn } from './saving.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('begins the next only when the one before is done and the pause is over', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const all = inTurn(['a', 'b', 'c'], 400, (item, index) => {
    begun.push(`${item}${index}`);
    return new Promise((resolve) => ends.push(resolve));
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(['a0']);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(399);
  expect(begun).toEqual(['a0']);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(['a0', 'b1']);
  ends[1]?.();
  await vi.advanceTimersByTimeAsync(400);
  ends[2]?.();
  await all;
  expect(begun).toEqual(['a0', 'b1', 'c2']);
});

it('waits for nothing when there is nothing', async () => {
  await inTurn([], 400, () => Promise.reject(new Error('never asked')));
  expect(vi.getTimerCount()).toBe(0);
});
