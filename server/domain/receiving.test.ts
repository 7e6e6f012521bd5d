import { expect, it } from 'vitest';
import { createReceiving } from './receiving.ts';

const refuse = () => new Error('full');

it('counts what is announced and what has come, until it has ended', () => {
  const receiving = createReceiving();
  const first = receiving.hold('ada', { expected: 6, free: 10, refuse });
  expect(() => receiving.hold('ada', { expected: 5, free: 10, refuse })).toThrow('full');
  const second = receiving.hold('ada', { expected: 0, free: 10, refuse });
  second.add(4);
  expect(() => second.add(1)).toThrow('full');
  receiving.hold('grace', { expected: 10, free: 10, refuse }).end();
  first.end();
  receiving.hold('ada', { expected: 10, free: 10, refuse }).end();
});

it('does not refuse what brings no bytes of its own', () => {
  const receiving = createReceiving();
  receiving.hold('ada', { expected: 16, free: 20, refuse });
  // Meanwhile an upload has taken what was free.
  const sealing = receiving.hold('ada', { expected: 0, free: 0, refuse });
  expect(() => sealing.add(1)).toThrow('full');
});
