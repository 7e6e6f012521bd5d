import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bytesOf, STALL_MS, withDeadline } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('ends what nobody answers, later when there is a body to be sent', () => {
  const small = withDeadline(undefined, 0);
  const large = withDeadline(undefined, 10_000);
  vi.advanceTimersByTime(STALL_MS);
  expect([small.signal.aborted, large.signal.aborted]).toEqual([true, false]);
  vi.advanceTimersByTime(10_000);
  expect(large.signal.aborted).toBe(true);
});

it('ends with the signal it was given, and lets go of it', () => {
  const given = new AbortController();
  const [ended, done] = [withDeadline(given.signal, 0), withDeadline(given.signal, 0)];
  done.stop();
  given.abort();
  expect([ended.signal.aborted, done.signal.aborted]).toEqual([true, false]);
  expect(withDeadline(given.signal, 0).signal.aborted).toBe(true);
  vi.advanceTimersByTime(2 * STALL_MS);
  expect(done.signal.aborted).toBe(false);
});

it('counts what a body has', () => {
  const form = new FormData();
  form.append('capsule', new Blob(['12345']));
  form.append('files', new File(['123'], 'a.png'));
  form.append('plain', '12');
  expect([bytesOf(undefined), bytesOf(new Blob(['1234'])), bytesOf(form)]).toEqual([0, 4, 10]);
});
