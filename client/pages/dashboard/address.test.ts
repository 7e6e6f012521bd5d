import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from './address.ts';

const START = {
  tab: 'my-capsules',
  page: 1,
  query: '',
  view: 'newest',
  hidden: false,
  capsuleId: null,
} as const;

describe('the address of the dashboard', () => {
  it('is read back as it was written, with nothing said twice', () => {
    const address = {
      tab: 'received',
      page: 2,
      query: 'lake & snow',
      view: 'sealed',
      hidden: true,
      capsuleId: 'x',
    } as const;
    expect(readAddress(writeAddress(address))).toEqual(address);
    expect(writeAddress(START).toString()).toBe('');
  });

  it.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=',
    'tab=other',
    'q=%20',
    'view=other',
    'hidden',
  ])('falls back to the start for %s', (query) => {
    expect(readAddress(new URLSearchParams(query))).toEqual(START);
  });
});
