import { describe, expect, it } from 'vitest';
import {
  daysRemaining,
  isLocked,
  progressPercent,
  remainingText,
  unlockCardText,
  unlockColour,
} from './capsule-time.ts';
import { startOfDay } from './day.ts';

describe('isLocked', () => {
  it('opens at the instant, not one millisecond before', () => {
    const unlockAt = new Date('2027-01-01T00:00:00Z');
    expect(isLocked(unlockAt, new Date('2026-12-31T23:59:59.999Z'))).toBe(true);
    expect(isLocked(unlockAt, new Date('2027-01-01T00:00:00.000Z'))).toBe(false);
  });
});

describe('daysRemaining', () => {
  it.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Santiago'])(
    'reaches 0 in %s exactly when the lock opens [4.lock.1]',
    (timeZone) => {
      const capsule = { dateToUnlock: '2026-09-06', timeZone };
      const opens = startOfDay(capsule.dateToUnlock, timeZone).getTime();
      expect(daysRemaining(capsule, new Date(opens - 1))).toBe(1);
      expect(daysRemaining(capsule, new Date(opens))).toBe(0);
    },
  );
});

describe('texts', () => {
  it('says how long is left [4.lock.2 4.lock.3 4.lock.4]', () => {
    expect([-3, 0, 1, 2].map(remainingText)).toEqual([
      'Unlocked',
      'Unlocked',
      '1 day remaining',
      '2 days remaining',
    ]);
  });

  it('says it shorter on a card, in months from day 31 on [4.lock.5 4.lock.8]', () => {
    expect([0, 1, 2, 30, 31, 60, 61].map(unlockCardText)).toEqual([
      'Unlocked!',
      'Tomorrow!',
      '2 days',
      '30 days',
      '2 months',
      '2 months',
      '3 months',
    ]);
  });

  it('warms up as the day comes near [4.lock.10 9.limits.15]', () => {
    expect([0, 1, 2, 7, 8, 30, 31].map(unlockColour)).toEqual([
      'red',
      'red',
      'orange',
      'orange',
      'yellow',
      'yellow',
      'indigo',
    ]);
  });
});

describe('progressPercent', () => {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', unlockAt: '2026-01-11T00:00:00.000Z' };

  it.each([
    ['2025-12-01T00:00:00Z', 0],
    ['2026-01-01T00:00:00Z', 0],
    ['2026-01-06T00:00:00Z', 50],
    ['2026-01-11T00:00:00Z', 100],
    ['2030-01-01T00:00:00Z', 100],
  ])('at %s is %d [4.lock.9]', (now, percent) => {
    expect(progressPercent(times, new Date(now))).toBe(percent);
  });
});
