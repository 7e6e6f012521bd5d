import { describe, expect, it } from 'vitest';
import { createClientLimits } from './client-limits.ts';

describe('work in progress', () => {
  it('waits for its turn, and is refused with a time when too much waits', async () => {
    const limits = createClientLimits({ rateLimits: true }, null);
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    };
    const started = Array.from({ length: 11 }, () => limits.inTurn('listSearch', 'ada', work));
    await expect(limits.inTurn('listSearch', 'ada', work)).rejects.toMatchObject({
      code: 'BUSY',
      details: { retryAfter: 5 },
    });
    expect(limits.inProgress('listSearch')).toBe(11);
    // Nobody else waits for her.
    const other = limits.inTurn('listSearch', 'bob', async () => 'found');
    expect(await other).toBe('found');
    const all = Promise.all(started);
    for (let ended = 0; ended < 11; ended += 1) {
      ends[ended]?.();
      await new Promise((resolve) => setTimeout(resolve));
    }
    await all;
    expect(most).toBe(1);
    expect(limits.inProgress('listSearch')).toBe(0);
  });

  it('that fails gives its turn on', async () => {
    const limits = createClientLimits({ rateLimits: true }, null);
    const failed = limits.inTurn('listSearch', 'ada', async () => Promise.reject(new Error('no')));
    await expect(failed).rejects.toThrow('no');
    expect(await limits.inTurn('listSearch', 'ada', async () => 'yes')).toBe('yes');
  });
});
