import { describe, expect, it } from 'vitest';
import type { OutboxRow } from '../../db/tables.ts';
import { firstTab } from './first-tab.ts';

const holds = (totalItems: number, isRefreshing = false) => ({
  data: {
    capsules: [],
    pagination: { currentPage: 1, totalPages: 1, itemsPerPage: 6, totalItems },
  },
  isLoading: false,
  isRefreshing,
});
const COMING = { data: null, isLoading: true, isRefreshing: true };
/** Offline: the server has failed to answer before the device was read. */
const READING = { data: null, isLoading: true, isRefreshing: false };
const FAILED = { data: null, isLoading: false, isRefreshing: false };
const ITEM = { id: 'waiting' } as OutboxRow;

describe('the first tab', () => {
  it.each([
    ['both', holds(2), holds(3), [], 'my-capsules'],
    ['nothing', holds(0), holds(0), [], 'my-capsules'],
    ['received ones only', holds(0), holds(3), [], 'received'],
    ['received ones, as saved on the device', holds(0, true), holds(3, true), [], 'received'],
    ['received ones and one that waits to be sent', holds(0), holds(3), [ITEM], 'my-capsules'],
    ['nothing, as saved on the device', holds(0, true), holds(0, true), [], null],
    ['nothing of their own, the rest not known', holds(0), COMING, [], null],
    ['nothing of their own, the rest being read from the device', holds(0), READING, [], null],
    ['nothing of their own, the rest failed', holds(0), FAILED, [], 'my-capsules'],
    ['nothing that is known', COMING, holds(3), [], null],
    ['own ones that failed', FAILED, holds(3), [], 'my-capsules'],
    ['an outbox not read yet', holds(0), holds(3), undefined, null],
  ])('of somebody with %s', (_, created, received, queued, expected) => {
    expect(firstTab({ lists: { 'my-capsules': created, received }, queued })).toBe(expected);
  });
});
