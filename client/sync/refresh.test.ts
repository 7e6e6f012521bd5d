import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleCapsule, sampleId, sampleUser } from '../../tests/support/sample-capsule.ts';
import { readCapsule } from '../local/capsules.ts';
import { db } from '../local/db.ts';
import { readList, writeList } from '../local/lists.ts';
import { claimDevice, readOwner } from '../local/owner.ts';
import { wipeDevice } from '../local/wipe.ts';
import { refreshCapsule, refreshList, refreshMe } from './refresh.ts';

const ada = sampleUser(101, 'Ada');
const KEY = { owner: ada.id, type: 'created', query: '', page: 1 } as const;
const PAGINATION = { currentPage: 1, totalPages: 1, itemsPerPage: 6, totalItems: 1 };
const GONE = { message: 'Gone', code: 'CAPSULE_NOT_FOUND' };

const fetch = vi.fn<typeof globalThis.fetch>();

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

beforeEach(async () => {
  fetch.mockReset();
  vi.stubGlobal('fetch', fetch);
  await Promise.all(db.tables.map((table) => table.clear()));
  await claimDevice(ada, 0);
});
afterEach(() => vi.unstubAllGlobals());

describe('refresh', () => {
  it('writes what the server says to where the screens read', async () => {
    fetch.mockResolvedValueOnce(
      answer(200, { capsules: [sampleCapsule(1)], pagination: PAGINATION }),
    );
    await refreshList(KEY);
    expect((await readList(KEY))?.capsules).toEqual([sampleCapsule(1)]);
    expect(fetch.mock.calls[0]?.[0]).toBe('/api/capsules/created?page=1&limit=6');
  });

  it('leaves what is kept when the server cannot be reached', async () => {
    await writeList(KEY, { capsules: [sampleCapsule(1)], pagination: PAGINATION }, 5);
    fetch.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(refreshList(KEY)).rejects.toMatchObject({ message: 'Network Error' });
    expect(await readList(KEY)).toMatchObject({ fetchedAt: 5, capsules: [sampleCapsule(1)] });
  });

  it('removes a capsule that its sender has deleted', async () => {
    await writeList(KEY, { capsules: [sampleCapsule(1)], pagination: PAGINATION }, 5);
    fetch.mockResolvedValueOnce(answer(404, GONE));
    await expect(refreshCapsule(ada.id, sampleId(1))).rejects.toMatchObject({ status: 404 });
    expect(await readCapsule(ada.id, sampleId(1))).toBeNull();
    expect((await readList(KEY))?.capsules).toEqual([]);
  });

  it('writes nothing for a person who signed out while the answer was on its way', async () => {
    fetch.mockImplementationOnce(async () => {
      await wipeDevice();
      return answer(200, sampleCapsule(1));
    });
    await refreshCapsule(ada.id, sampleId(1));
    expect(await db.capsules.count()).toBe(0);
  });

  it('makes the device that of whoever the server knows', async () => {
    const grace = sampleUser(102, 'Grace');
    await writeList(KEY, { capsules: [sampleCapsule(1)], pagination: PAGINATION }, 5);
    fetch.mockResolvedValueOnce(answer(200, grace));
    await refreshMe();
    expect(await readOwner()).toBe(grace.id);
    expect(await db.capsules.count()).toBe(0);
  });
});
