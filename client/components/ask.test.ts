import { expect, it } from 'vitest';
import { ask } from './ask.tsx';

it('an answer that comes late takes away no other question', async () => {
  let answerLate = (_: boolean) => {};
  const first = ask((answer) => {
    answerLate = answer;
    return null;
  });
  const second = ask(() => null);
  expect(await first).toBe(false);
  answerLate(true);
  void ask(() => null);
  // The third one has found it, and answered it.
  expect(await second).toBe(false);
});
