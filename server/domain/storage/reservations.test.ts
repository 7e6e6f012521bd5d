import { expect, it } from 'vitest';
import { createReservations } from './reservations.ts';

const refuse = () => new Error('full');

it('counts what is announced and what has come, until it has ended', () => {
  const reservations = createReservations();
  const first = reservations.reserve('ada', { expected: 6, free: 10, refuse });
  expect(() => reservations.reserve('ada', { expected: 5, free: 10, refuse })).toThrow('full');
  const second = reservations.reserve('ada', { expected: 0, free: 10, refuse });
  second.add(4);
  expect(() => second.add(1)).toThrow('full');
  reservations.reserve('grace', { expected: 10, free: 10, refuse }).release();
  first.release();
  reservations.reserve('ada', { expected: 10, free: 10, refuse }).release();
});

it('does not refuse what brings no bytes of its own', () => {
  const reservations = createReservations();
  reservations.reserve('ada', { expected: 16, free: 20, refuse });
  // Meanwhile an upload has taken what was free.
  const sealing = reservations.reserve('ada', { expected: 0, free: 0, refuse });
  expect(() => sealing.add(1)).toThrow('full');
});
