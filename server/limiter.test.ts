import { expect, test } from 'vitest';
import { createFairLimiter, createLimiter } from './limiter.ts';

function held() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { finish, work: () => done };
}

test('runs so many at once, the next when one is done, in the order they came', async () => {
  const limited = createLimiter(2, 10);
  const works = [held(), held(), held()];
  const started: number[] = [];
  const running = works.map(({ work }, index) =>
    limited(() => {
      started.push(index);
      return work();
    }),
  );
  expect(started).toEqual([0, 1]);
  works[1]?.finish();
  await running[1];
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  for (const { finish } of works) finish();
  await Promise.all(running);
});

test('a work that fails gives its place on', async () => {
  const limited = createLimiter(1, 10);
  await expect(limited(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limited(async () => 'yes')).toBe('yes');
});

test('refuses what would wait behind too many', async () => {
  const limited = createLimiter(1, 1);
  const { work, finish } = held();
  const running = [limited(work), limited(work)];
  await expect(limited(work)).rejects.toMatchObject({ code: 'BUSY', status: 503 });
  finish();
  await Promise.all(running);
});

test('the next is who has been given the least time', async () => {
  let now = 0;
  const turn = createFairLimiter({ atOnce: 1, waitingMax: 10, waitMaxMs: 60_000, now: () => now });
  const done: string[] = [];
  const taking = (key: string, ms: number) =>
    turn(key, async () => {
      now += ms;
      done.push(key);
    });
  const all = ['eve', 'eve', 'eve', 'ben', 'ben', 'ada'].map((key) =>
    taking(key, key === 'eve' ? 1_000 : 10),
  );
  await Promise.all(all);
  expect(done).toEqual(['eve', 'ben', 'ada', 'ben', 'eve', 'eve']);
});

test('a turn that does not come in time is given up, and the next ones come', async () => {
  const turn = createFairLimiter({ atOnce: 1, waitingMax: 2, waitMaxMs: 20 });
  const { work, finish } = held();
  const running = turn('eve', work);
  const late = [turn('ada', work), turn('ben', work)];
  await expect(turn('cem', work)).rejects.toMatchObject({ code: 'BUSY' });
  for (const one of late) await expect(one).rejects.toMatchObject({ code: 'BUSY', status: 503 });
  finish();
  await running;
  expect(await turn('ada', async () => 'done')).toBe('done');
});
