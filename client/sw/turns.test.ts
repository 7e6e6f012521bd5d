import { expect, it } from 'vitest';
import { withAddedDatabase, withPersonsDatabase } from './turns.ts';

function later() {
  let done = () => {};
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done };
}

it('what is added lets go of the worker before anything of the person begins', async () => {
  const order: string[] = [];
  const adding = withAddedDatabase(async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    order.push('let go');
  });
  await withPersonsDatabase(async () => void order.push('person'));
  await adding;
  expect(order).toEqual(['let go', 'person']);
});

it('what is added waits for another time while the person’s database is in use', async () => {
  const { promise, done } = later();
  const person = withPersonsDatabase(() => promise);
  const add = () => withAddedDatabase(async () => undefined);
  await expect(add()).rejects.toThrow('in use');
  done();
  await person;
  await expect(add()).resolves.toBeUndefined();
});

it('a failure of either holds up nobody', async () => {
  const fail = () => Promise.reject(new Error('full'));
  await expect(withAddedDatabase(fail)).rejects.toThrow('full');
  await expect(withPersonsDatabase(fail)).rejects.toThrow('full');
  await expect(withAddedDatabase(async () => undefined)).resolves.toBeUndefined();
});
