import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from './address.ts';

describe('the address of the dashboard', () => {
  it('is read back as it was written, with nothing said twice', () => {
    const address = {
      tab: 'received',
      page: 2,
      query: 'lake & snow',
      year: 2031,
      capsuleId: 'x',
    } as const;
    expect(readAddress(writeAddress(address))).toEqual(address);
    const start = { tab: 'my-capsules', page: 1, query: '', year: null, capsuleId: null } as const;
    expect(writeAddress(start).toString()).toBe('');
  });

  it.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=',
    'tab=other',
    'q=%20',
    'year=',
    'year=1900',
    'year=x',
  ])('falls back to the start for %s', (query) => {
    expect(readAddress(new URLSearchParams(query))).toEqual({
      tab: 'my-capsules',
      page: 1,
      query: '',
      year: null,
      capsuleId: null,
    });
  });
});
