import { EMPTY_DRAFT } from './tables.ts';
import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Capsule, CapsulePage, DashboardSummary } from '../../shared/api/capsules.ts';
import { sampleCapsule, sampleId, sampleUser } from '../../tests/support/sample-capsule.ts';
import {
  addCreated,
  capsuleKey,
  forgetCapsule,
  listKey,
  PROFILE_KEY,
  putResponse,
  readCapsule,
  readResponse,
  revalidate,
  searchCached,
  summaryKey,
} from './cache.ts';
import { closeDatabase, db, openDatabase } from './database.ts';
import { readDrafts, saveDraft } from './drafts.ts';
import { findKnownPeople, rememberPeople } from './people.ts';

const ada = sampleUser(101, 'Ada');
const grace = sampleUser(102, 'Grace');
const NOW = Date.UTC(2026, 5, 1);

const CREATED = { type: 'created', query: '', page: 1 } as const;
const RECEIVED = { ...CREATED, type: 'received' } as const;
const search = (query: string) => ({ ...CREATED, query });

function page(capsules: Capsule[], currentPage = 1, totalItems = capsules.length): CapsulePage {
  const totalPages = Math.ceil(totalItems / 6);
  return { capsules, pagination: { currentPage, totalPages, itemsPerPage: 6, totalItems } };
}

function put(key: string, body: Parameters<typeof putResponse>[1], fetchedAt = NOW) {
  return putResponse(key, body, fetchedAt);
}

async function readList(request: Parameters<typeof listKey>[0]) {
  return (await readResponse<CapsulePage>(listKey(request)))?.body ?? null;
}

function range(from: number, to: number): Capsule[] {
  return Array.from({ length: to - from + 1 }, (_, index) => sampleCapsule(from + index));
}

function summary(...next: number[]): DashboardSummary {
  return {
    totalCapsules: 2,
    createdCapsules: 2,
    receivedCapsules: 0,
    lockedCapsules: 2,
    upcomingUnlocks: { thisWeek: 0, thisMonth: 0 },
    storageUsed: { percentageUsed: 0, totalMB: 0, limitMB: 1024 },
    nextUnlocks: next.map((number) => {
      const { id, title, dateToUnlock: unlockDate, timeZone } = sampleCapsule(number);
      const who = { type: 'created', senderName: 'Ada' } as const;
      return { id, title, unlockDate, timeZone, daysRemaining: 9, ...who };
    }),
    monthlyStats: Array.from({ length: 12 }, (_, at) => ({
      month: `2026-${String(at + 1).padStart(2, '0')}`,
      created: 0,
      received: 0,
      unlocked: 0,
    })),
  };
}

function passMillisecond(): void {
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1);
}

beforeEach(async () => {
  await openDatabase(ada.id);
  await Promise.all(db.tables.map((table) => table.clear()));
});

describe('a list', () => {
  it('is read as it was answered, in its order [3.entities.25]', async () => {
    await put(listKey(CREATED), page([sampleCapsule(2), sampleCapsule(1)]));
    const cached = await readResponse<CapsulePage>(listKey(CREATED));
    expect(cached?.body.capsules.map(({ title }) => title)).toEqual(['Capsule 2', 'Capsule 1']);
    expect(cached?.fetchedAt).toBe(NOW);
    expect(await readList(RECEIVED)).toBeNull();
  });

  it('forgets pages that are no more and searches but the last', async () => {
    await put(listKey({ ...CREATED, page: 2 }), page([sampleCapsule(7)], 2, 7));
    await put(listKey(search('lake')), page([sampleCapsule(7)]));
    await put(listKey(search('snow')), page([]));
    await put(listKey(CREATED), page(range(1, 6)));
    expect(await readList({ ...CREATED, page: 2 })).toBeNull();
    expect(await readList(search('lake'))).toBeNull();
    expect(await readList(search('snow'))).not.toBeNull();
  });

  it('takes along the details of a capsule that it names no more', async () => {
    await put(listKey(CREATED), page(range(1, 2)));
    await put(capsuleKey(sampleId(1)), sampleCapsule(1));
    await put(listKey(CREATED), page([sampleCapsule(2)]));
    expect(await readCapsule(sampleId(1))).toBeNull();
  });

  it('keeps the details of a capsule that has moved to another page, or left a view', async () => {
    const newestFirst = (from: number, to: number) => range(from, to).reverse();
    const second = { ...CREATED, page: 2 };
    const ready = { ...CREATED, view: 'ready' } as const;
    const isKept = async (number: number) =>
      (await db.responses.get(capsuleKey(sampleId(number)))) !== undefined;
    for (const number of [3, 4]) await put(capsuleKey(sampleId(number)), sampleCapsule(number));

    await put(listKey(CREATED), page(newestFirst(3, 8), 1, 8));
    await put(listKey(CREATED), page(newestFirst(4, 9), 1, 9));
    expect(await isKept(3)).toBe(true);

    await put(listKey(second), page(newestFirst(1, 3), 2, 9));
    await put(listKey(second), page(newestFirst(1, 2), 2, 8));
    expect(await isKept(3)).toBe(true);

    await put(listKey(ready), page([sampleCapsule(4)]));
    await put(listKey(ready), page([]));
    expect(await isKept(4)).toBe(true);

    const withoutOne = newestFirst(3, 9).filter(({ id }) => id !== sampleId(4));
    await put(listKey(CREATED), page(withoutOne, 1, 8));
    expect(await isKept(4)).toBe(false);
  });

  it('shows what others have added once its details are here, also after a later list without it', async () => {
    const letter = { id: sampleId(9), name: 'Grandpa', personalMessage: 'A blessing' };
    const listed = sampleCapsule(1, { locked: false, contributors: 1 });
    const files = [{ fileId: sampleId(8), fileName: 'Poem.pdf', fileSize: 1, fileType: 'a/b' }];
    const contributions = [{ ...letter, fileIds: [sampleId(8)] }];
    const read = async () => (await readCapsule(sampleId(1)))?.body;
    await put(listKey(CREATED), page([listed]));
    expect(await read()).toMatchObject({ contributors: 1, fileInfo: [] });
    expect(await read()).not.toHaveProperty('contributions');

    const details = { ...listed, fileInfo: files, contributions };
    await put(capsuleKey(sampleId(1)), details, NOW + 1);
    await put(listKey(CREATED), page([{ ...listed, ready: false }]), NOW + 2);
    expect(await read()).toMatchObject({ ready: false, fileInfo: files, contributions });

    // As a server of the version before has sent it.
    await put(listKey(CREATED), page([details]), NOW + 3);
    expect(await read()).toMatchObject({ fileInfo: files, contributions });
  });

  it('starts with a capsule just created, counted once even when its create is repeated [4.lists.1 4.create.3]', async () => {
    await put(listKey(CREATED), page(range(1, 6)));
    await addCreated(sampleCapsule(7));
    await addCreated(sampleCapsule(7));
    const list = await readList(CREATED);
    expect(list?.capsules.map(({ id }) => id)[0]).toBe(sampleId(7));
    expect(list?.capsules).toHaveLength(6);
    expect(list?.pagination).toMatchObject({ totalItems: 7, totalPages: 2 });
    expect((await readCapsule(sampleId(7)))?.body.title).toBe('Capsule 7');
  });

  it('loses a removed capsule everywhere and never counts below 0 [4.lists.2]', async () => {
    await put(listKey(CREATED), page([sampleCapsule(1)]));
    await put(listKey(RECEIVED), page([sampleCapsule(1)], 1, 0));
    await put(capsuleKey(sampleId(1)), sampleCapsule(1));
    for (const year of [2025, 2026]) await put(summaryKey(year), summary(1, 2));
    await forgetCapsule(sampleId(1));
    expect(await readCapsule(sampleId(1))).toBeNull();
    expect((await readList(CREATED))?.pagination.totalItems).toBe(0);
    expect((await readList(RECEIVED))?.pagination.totalItems).toBe(0);
    for (const year of [2025, 2026]) {
      const cached = await readResponse<DashboardSummary>(summaryKey(year));
      expect(cached?.body.nextUnlocks.map(({ id }) => id)).toEqual([sampleId(2)]);
    }
  });

  it('loses a removed capsule on a full device too', async () => {
    await put(listKey(CREATED), page(range(1, 2)));
    const full = new DOMException('No room', 'QuotaExceededError');
    vi.spyOn(db.responses, 'put').mockRejectedValueOnce(full);
    await forgetCapsule(sampleId(1));
    expect(await readCapsule(sampleId(1))).toBeNull();
  });

  it('is searched by title, description and people, newest first, a page at a time', async () => {
    const capsules = [...range(1, 7), sampleCapsule(8, { title: 'Summer' })];
    await put(listKey(CREATED), page(capsules));
    await put(listKey(search('capsule 3')), page([sampleCapsule(3)]));
    const { body } = await searchCached({ ...search('CAPSULE'), page: 2 });
    expect(body.pagination).toMatchObject({ totalItems: 7, totalPages: 2, currentPage: 2 });
    expect(body.capsules.map(({ title }) => title)).toEqual(['Capsule 1']);
    expect((await searchCached(search('grace@'))).body.pagination.totalItems).toBe(8);
    expect((await searchCached({ ...RECEIVED, query: 'capsule' })).body.capsules).toEqual([]);
    const seen = { view: 'opened', query: 'summer' } as const;
    expect((await searchCached({ ...CREATED, ...seen })).body.capsules).toEqual([]);
    expect(
      (await searchCached({ ...CREATED, ...seen, view: 'sealed' })).body.capsules,
    ).toHaveLength(1);
    // Whose page of the list was never shown.
    await put(capsuleKey(sampleId(9)), sampleCapsule(9, { title: 'The lake' }));
    expect((await searchCached(search('lake'))).body.capsules).toHaveLength(1);
  });
});

describe('the details of a capsule', () => {
  it('are the newest that any answer says', async () => {
    await put(listKey(CREATED), page([sampleCapsule(1)]), NOW);
    await put(capsuleKey(sampleId(1)), sampleCapsule(1, { locked: false }), NOW + 1);
    expect((await readCapsule(sampleId(1)))?.body.locked).toBe(false);
    await put(listKey(CREATED), page([sampleCapsule(1, { title: 'Later' })]), NOW + 2);
    expect(await readCapsule(sampleId(1))).toMatchObject({ body: { title: 'Later' } });
  });

  it('are not those that were cached while the clock was ahead', async () => {
    const sealed = { ...CREATED, view: 'sealed' } as const;
    await put(listKey(sealed), page([sampleCapsule(1)]), Date.now() + 60_000);
    await put(capsuleKey(sampleId(1)), sampleCapsule(1, { locked: false }), Date.now());
    expect((await readCapsule(sampleId(1)))?.body.locked).toBe(false);
    expect((await searchCached(search('capsule'))).body.capsules[0]?.locked).toBe(false);
  });

  it('say who has added to a sealed one, also after a later list, which does not', async () => {
    const added = [{ name: 'Grandpa', hasLetter: true }];
    await put(capsuleKey(sampleId(1)), sampleCapsule(1, { added }));
    await put(listKey(CREATED), page([sampleCapsule(1)]));
    expect((await readCapsule(sampleId(1)))?.body.added).toEqual(added);
    await put(listKey(CREATED), page([sampleCapsule(1, { locked: false })]), NOW + 1);
    expect((await readCapsule(sampleId(1)))?.body.added).toBeUndefined();
  });

  it('are those of its creator for a letter to oneself, whichever list was fetched last', async () => {
    const typeOf = async () => (await readCapsule(sampleId(1)))?.body.type;
    await put(capsuleKey(sampleId(1)), sampleCapsule(1, { senderId: ada.id }), NOW);
    const received = sampleCapsule(1, { senderId: ada.id, type: 'received' });
    await put(listKey(RECEIVED), page([received]), NOW + 1);
    expect(await typeOf()).toBe('created');
    await put(listKey(RECEIVED), page([{ ...received, senderId: grace.id }]), NOW + 2);
    expect(await typeOf()).toBe('received');
  });
});

describe('an answer', () => {
  it('that fails leaves what is cached', async () => {
    await put(listKey(CREATED), page([sampleCapsule(1)]), 5);
    const failing = revalidate(listKey(CREATED), () => Promise.reject(new Error('Network Error')));
    await expect(failing).rejects.toThrow('Network Error');
    expect((await readResponse(listKey(CREATED)))?.fetchedAt).toBe(5);
  });

  it('is given back where a full device refuses it', async () => {
    const full = new DOMException('No room', 'QuotaExceededError');
    vi.spyOn(db.responses, 'put').mockRejectedValueOnce(full);
    const answer = await revalidate(listKey(CREATED), async () => page(range(1, 2)));
    expect(answer?.body.capsules).toHaveLength(2);
    expect(await revalidate(listKey(CREATED), async () => page(range(1, 2)))).toBeNull();
  });

  it('that comes late does not replace the answer to a later question', async () => {
    await revalidate(listKey(CREATED), async () => {
      passMillisecond();
      await revalidate(listKey(CREATED), async () => page(range(1, 2)));
      return page(range(1, 1));
    });
    expect((await readList(CREATED))?.capsules).toHaveLength(2);
  });

  it.each([
    ['brings no deleted capsule back', () => forgetCapsule(sampleId(1)), [2]],
    ['takes no sealed capsule away', () => addCreated(sampleCapsule(3)), [3, 1, 2]],
  ])('that was asked for before a change %s', async (_, change, left) => {
    const before = page(range(1, 2));
    await put(listKey(CREATED), before, Date.now());
    await revalidate(listKey(CREATED), async () => {
      passMillisecond();
      await change();
      return before;
    });
    expect((await readList(CREATED))?.capsules.map(({ id }) => id)).toEqual(left.map(sampleId));
  });

  it('replaces one that was cached while the clock was ahead', async () => {
    await put(listKey(CREATED), page(range(1, 2)), Date.now() + 60_000);
    await revalidate(listKey(CREATED), async () => page(range(1, 1)));
    expect((await readList(CREATED))?.capsules).toHaveLength(1);
  });

  it('that comes after a sign-out is written for nobody', async () => {
    await revalidate(listKey(CREATED), async () => {
      closeDatabase();
      return page([sampleCapsule(1)]);
    });
    await expect(addCreated(sampleCapsule(3))).rejects.toThrow();
    await openDatabase(ada.id);
    expect(await readList(CREATED)).toBeNull();
  });
});

it('that comes once another person has signed in is not written for them', async () => {
  await revalidate(listKey(CREATED), async () => {
    closeDatabase();
    await openDatabase(grace.id);
    return page([sampleCapsule(1)]);
  });
  expect(await readList(CREATED)).toBeNull();
});

describe('people', () => {
  it('chosen before are found without a connection, and oneself always', async () => {
    await put(PROFILE_KEY, ada);
    const known = { id: grace.id, name: 'Grace', email: grace.email, avatar: '', isYou: false };
    await rememberPeople([known]);
    expect((await findKnownPeople('EXAMPLE.ORG')).map(({ name }) => name)).toEqual([
      'Ada',
      'Grace',
    ]);
    expect(await findKnownPeople('grace')).toEqual([known]);
  });

  it('invited before are suggested once, also when they have an account since', async () => {
    const invited = {
      id: grace.email,
      name: 'grace',
      email: grace.email,
      avatar: 'G',
      isYou: false,
    };
    await rememberPeople([{ ...invited, isInvited: true, toInvite: true }]);
    const known = { ...invited, id: grace.id, name: 'Grace' };
    await rememberPeople([known]);
    expect(await findKnownPeople('grace')).toEqual([known]);
  });
});

describe('drafts', () => {
  it('stand side by side, the newest first', async () => {
    for (const n of [7, 9, 8]) {
      await saveDraft({ id: sampleId(n), fields: EMPTY_DRAFT, updatedAt: NOW + n });
    }
    const ids = (await readDrafts()).map(({ id }) => id);
    expect(ids).toEqual([9, 8, 7].map(sampleId));
  });
});
