import { expect, it } from 'vitest';
import { firstSignal } from './first-signal.ts';

it('ends with the first of them, and tells why', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const signal = firstSignal(one.signal, undefined, two.signal);
  expect(signal.aborted).toBe(false);
  two.abort('gone');
  one.abort('late');
  expect([signal.aborted, signal.reason]).toEqual([true, 'gone']);
  expect(firstSignal(new AbortController().signal, AbortSignal.abort('before')).reason).toBe(
    'before',
  );
});
