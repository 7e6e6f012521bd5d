import { beforeEach, describe, expect, it, vi } from 'vitest';
import { countVisit, forgetVisits, rememberDismissal, wasDismissed } from './use-install.ts';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

describe('the memory of an offer to install', () => {
  it('takes looks within half an hour for one visit', () => {
    expect(countVisit(NOW)).toBe(1);
    expect(countVisit(NOW + 60_000)).toBe(1);
    expect(countVisit(NOW + DAY)).toBe(2);
  });

  it('does not offer again for half a year', () => {
    expect(wasDismissed(NOW)).toBe(false);
    rememberDismissal(NOW);
    expect(wasDismissed(NOW + 181 * DAY)).toBe(true);
    expect(wasDismissed(NOW + 183 * DAY)).toBe(false);
  });

  it('forgets who was here, not what was declined', () => {
    countVisit(NOW);
    forgetVisits();
    expect(localStorage.getItem('install-offer')).toBeNull();
    countVisit(NOW);
    rememberDismissal(NOW);
    forgetVisits();
    expect(wasDismissed(NOW + DAY)).toBe(true);
    expect(countVisit(NOW + DAY)).toBe(1);
  });

  it.each(['not json', '[]', '"text"', '{"visits":"many"}'])('takes %s for nothing', (kept) => {
    localStorage.setItem('install-offer', kept);
    expect(wasDismissed(NOW)).toBe(false);
    expect(countVisit(NOW)).toBe(1);
  });
});
