import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readOn } from './read-on.ts';

/** A store that breaks off after each byte. */
function oneByteEach(bytes: number) {
  async function* pieces() {
    yield Buffer.from('x');
    throw new Error('reset');
  }
  return { stream: Readable.from(pieces()), bytes };
}

it('gives up after ten breaks, and leaves no listeners on its output', async () => {
  const listeners: number[] = [];
  const open = async () => {
    listeners.push(all.listenerCount('error'));
    return oneByteEach(100);
  };
  const all: Readable = readOn(oneByteEach(100), open, () => {});
  expect(String(await buffer(all))).toBe('x'.repeat(10));
  expect(listeners).toHaveLength(9);
  expect(new Set(listeners).size).toBe(1);
});
