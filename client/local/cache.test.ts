import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Capsule, CapsuleType, DashboardSummary } from '../../shared/api/capsules.ts';
import { sampleCapsule, sampleId, sampleUser } from '../../tests/support/sample-capsule.ts';
import { addCreated, readCapsule, removeCapsule, writeCapsule } from './capsules.ts';
import { db } from './db.ts';
import { EMPTY_DRAFT, readDraft, saveDraft } from './drafts.ts';
import { readProfile, readSummary, writeSummary } from './figures.ts';
import { peekSearch, searchKept } from './kept-search.ts';
import { peekList, readList, writeList } from './lists.ts';
import { claimDevice, peekOwner, readOwner, releaseDevice } from './owner.ts';
import { peekCapsule } from './page-memory.ts';
import { findKnownPeople, rememberPeople } from './people.ts';
import { readDrafts } from './waiting.ts';
import { wipeDevice } from './wipe.ts';

const ada = sampleUser(101, 'Ada');
const grace = sampleUser(102, 'Grace');
const NOW = Date.UTC(2026, 5, 1);

function key(type: CapsuleType = 'created', page = 1, query = '', owner = ada.id) {
  return { owner, type, query, page };
}

function page(capsules: Capsule[], currentPage = 1, totalItems = capsules.length) {
  const totalPages = Math.ceil(totalItems / 6);
  return { capsules, pagination: { currentPage, totalPages, itemsPerPage: 6, totalItems } };
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

async function rowCounts() {
  const counts = await Promise.all(
    db.tables.map(async (table) => [table.name, await table.count()]),
  );
  return Object.fromEntries(counts.filter(([, count]) => count !== 0));
}

beforeEach(async () => {
  await Promise.all(db.tables.map((table) => table.clear()));
  await claimDevice(ada, NOW);
});

describe('lists', () => {
  it('are read as they were written, in their order', async () => {
    await writeList(key(), page([sampleCapsule(2), sampleCapsule(1)]), NOW);
    const kept = await readList(key());
    expect(kept?.capsules.map(({ title }) => title)).toEqual(['Capsule 2', 'Capsule 1']);
    expect(kept?.fetchedAt).toBe(NOW);
    expect(await readList(key('received'))).toBeNull();
  });

  it('let go of capsules that no kept page names any more', async () => {
    await writeList(key(), page(range(1, 3)), NOW);
    await writeList(key('received'), page([sampleCapsule(3)]), NOW);
    await writeList(key(), page([sampleCapsule(1)]), NOW);
    expect(await readCapsule(ada.id, sampleId(1))).not.toBeNull();
    expect(await readCapsule(ada.id, sampleId(2))).toBeNull();
    expect((await readCapsule(ada.id, sampleId(3)))?.lists).toEqual(['received']);
  });

  it('forget pages that are no more and searches but the last', async () => {
    await writeList(key('created', 2), page([sampleCapsule(7)], 2, 7), NOW);
    await writeList(key('created', 1, 'lake'), page([sampleCapsule(7)]), NOW);
    await writeList(key('created', 1, 'snow'), page([]), NOW);
    await writeList(key(), page(range(1, 6)), NOW);
    expect(await readList(key('created', 2))).toBeNull();
    expect(await readList(key('created', 1, 'lake'))).toBeNull();
    expect(await readList(key('created', 1, 'snow'))).not.toBeNull();
  });

  it('let go of the capsules of such pages and searches too', async () => {
    await writeList(key('received', 2), page([sampleCapsule(7)], 2, 7), NOW);
    await writeList(key('received', 1, 'lake'), page([sampleCapsule(8)]), NOW);
    await writeList(key('received', 1, 'snow'), page([]), NOW);
    expect(await readCapsule(ada.id, sampleId(8))).toBeNull();
    await writeList(key('received'), page(range(1, 6)), NOW);
    expect(await readCapsule(ada.id, sampleId(7))).toBeNull();
    expect(await readCapsule(ada.id, sampleId(6))).not.toBeNull();
  });

  it('keep the answer that a page is beyond the last', async () => {
    await writeList(key('created', 9), page([], 9, 7), NOW);
    expect((await readList(key('created', 9)))?.pagination.totalPages).toBe(2);
  });

  it('start with a capsule just created, counted once even when its create is repeated', async () => {
    await writeList(key(), page(range(1, 6), 1, 6), NOW);
    await addCreated(ada.id, sampleCapsule(7), NOW);
    await addCreated(ada.id, sampleCapsule(7), NOW);
    const kept = await readList(key());
    expect(kept?.capsules.map(({ id }) => id)[0]).toBe(sampleId(7));
    expect(kept?.capsules).toHaveLength(6);
    expect(kept?.pagination).toMatchObject({ totalItems: 7, totalPages: 2 });
  });

  it('lose a removed capsule everywhere and never count below 0', async () => {
    await writeList(key(), page([sampleCapsule(1)]), NOW);
    await writeList(key('received'), page([sampleCapsule(1)], 1, 0), NOW);
    await removeCapsule(ada.id, sampleId(1));
    expect(await readCapsule(ada.id, sampleId(1))).toBeNull();
    expect((await readList(key()))?.pagination.totalItems).toBe(0);
    expect((await readList(key('received')))?.pagination.totalItems).toBe(0);
  });

  it('lose a removed capsule from what opens next, whichever year was looked at', async () => {
    for (const year of [2025, 2026]) await writeSummary(ada.id, year, summary(1, 2), NOW);
    await removeCapsule(ada.id, sampleId(1));
    for (const year of [2025, 2026]) {
      const row = await readSummary(ada.id, year);
      expect(row?.summary.nextUnlocks.map(({ id }) => id)).toEqual([sampleId(2)]);
    }
  });

  it('are searched by title, description and people, newest first, a page at a time', async () => {
    const capsules = [...range(1, 7), sampleCapsule(8, { title: 'Summer' })];
    await writeList(key(), page(capsules), NOW);
    const found = await searchKept(key('created', 2, 'CAPSULE'));
    expect(found.pagination).toMatchObject({ totalItems: 7, totalPages: 2, currentPage: 2 });
    expect(found.capsules.map(({ title }) => title)).toEqual(['Capsule 1']);
    expect((await searchKept(key('created', 1, 'grace@'))).pagination.totalItems).toBe(8);
    expect((await searchKept(key('received', 1, 'capsule'))).capsules).toEqual([]);
  });
});

describe('the memory of pages', () => {
  const capsulesOf = (list: { capsules: Capsule[] } | null) =>
    list?.capsules.map(({ title }) => title) ?? null;

  it('has what was read, at once, until a row has changed', async () => {
    await writeList(key(), page([sampleCapsule(1)]), NOW);
    expect(peekList(key())).toBeNull();
    const read = await readList(key());
    expect(peekList(key())).toBe(read);
    // Nothing has changed: what is drawn is not drawn again.
    expect(await readList(key())).toBe(read);
    expect(peekCapsule(ada.id, sampleId(1))?.capsule.title).toBe('Capsule 1');
    expect(peekCapsule(grace.id, sampleId(1))).toBeNull();
    expect(peekList(key('created', 1, '', grace.id))).toBeNull();

    await writeCapsule(ada.id, sampleCapsule(1, { title: 'The lake' }), NOW);
    expect(peekList(key())).toBeNull();
    expect(peekCapsule(ada.id, sampleId(1))).toBeNull();
    expect(capsulesOf(await readList(key()))).toEqual(['The lake']);
    await removeCapsule(ada.id, sampleId(1));
    expect(peekList(key())).toBeNull();
    expect(capsulesOf(await readList(key()))).toEqual([]);
  });

  it('does not keep what was read before a change and came after it', async () => {
    await writeList(key(), page([sampleCapsule(1)]), NOW);
    const reading = readList(key());
    const writing = writeCapsule(ada.id, sampleCapsule(1, { title: 'The lake' }), NOW);
    await Promise.all([reading, writing]);
    expect(capsulesOf(peekList(key())) ?? ['The lake']).toEqual(['The lake']);
    expect(capsulesOf(await readList(key()))).toEqual(['The lake']);
  });

  it('is empty after a sign-out, and where other tabs may have written unheard', async () => {
    await writeList(key(), page([sampleCapsule(1)]), NOW);
    await readList(key());
    Dexie.on.storagemutated.fire({ all: { d: 0 } });
    expect(peekList(key())).toBeNull();
    await readList(key());
    await wipeDevice();
    expect(peekList(key())).toBeNull();
    await claimDevice(ada, NOW);
    expect(await readList(key())).toBeNull();
  });

  it('remembers a search and lets go of it like of any page', async () => {
    await writeList(key(), page(range(1, 3)), NOW);
    const found = await searchKept(key('created', 1, 'capsule'));
    expect(peekSearch(key('created', 1, 'capsule'))).toBe(found);
    await removeCapsule(ada.id, sampleId(2));
    expect(peekSearch(key('created', 1, 'capsule'))).toBeNull();
    expect((await searchKept(key('created', 1, 'capsule'))).pagination.totalItems).toBe(2);
  });
});

describe('the search of what is kept', () => {
  it('knows what has changed since it last looked', async () => {
    const titles = async (query: string) =>
      (await searchKept(key('created', 1, query))).capsules.map(({ title }) => title);
    await writeList(key(), page(range(1, 3)), NOW);
    expect(await titles('capsule')).toHaveLength(3);
    await writeCapsule(ada.id, { ...sampleCapsule(2), title: 'The lake' }, NOW);
    expect(await titles('lake')).toEqual(['The lake']);
    await removeCapsule(ada.id, sampleCapsule(2).id);
    expect(await titles('lake')).toEqual([]);
    await addCreated(ada.id, { ...sampleCapsule(9), title: 'By the lake' }, NOW);
    expect(await titles('lake')).toEqual(['By the lake']);
  });

  it('reads all again where it cannot know which rows have changed', async () => {
    const found = async () => (await searchKept(key('created', 1, 'lake'))).capsules.length;
    const lake = sampleCapsule(1, { title: 'The lake' });
    await writeList(key(), page([lake]), NOW);
    expect(await found()).toBe(1);
    // Written past Dexie, as by a page of another version.
    await db.open();
    const transaction = db.backendDB().transaction('capsules', 'readwrite');
    const lists = ['created'];
    const other = { owner: ada.id, id: sampleId(2), capsule: { ...lake, id: sampleId(2) } };
    transaction.objectStore('capsules').put({ ...other, lists, fetchedAt: NOW });
    await new Promise((done) => {
      transaction.oncomplete = done;
    });
    Dexie.on.storagemutated.fire({ all: { d: 0 } });
    expect(await found()).toBe(2);
    await db.capsules.clear();
    expect(await found()).toBe(0);
  });

  it('looks through more than it reads at once, newest first, and at nobody else’s', async () => {
    await writeList(key(), page(range(1, 450)), NOW);
    expect((await searchKept(key('created', 1, 'capsule'))).pagination.totalItems).toBe(450);
    await claimDevice(grace, NOW);
    expect((await searchKept(key('created', 1, '', grace.id))).pagination.totalItems).toBe(0);
    expect((await searchKept(key('created', 1, 'capsule'))).pagination.totalItems).toBe(0);
  });
});

describe('ownership', () => {
  it('an answer on its way does not outlive a sign-out', async () => {
    await wipeDevice();
    await writeList(key(), page([sampleCapsule(1)]), NOW);
    await writeCapsule(ada.id, sampleCapsule(2), NOW);
    expect(await rowCounts()).toEqual({});
  });

  it('whose the device is, is known at once until that may have changed', async () => {
    expect(peekOwner()).toBeUndefined();
    await readOwner();
    expect(peekOwner()).toBe(ada.id);
    await releaseDevice();
    expect(peekOwner()).toBeUndefined();
    await readOwner();
    expect(peekOwner()).toBeNull();
    await claimDevice(grace, NOW);
    expect(peekOwner()).toBeUndefined();
    await readOwner();
    await wipeDevice();
    expect(peekOwner()).toBeUndefined();
  });

  it('signing out leaves nothing of the person', async () => {
    await writeList(key(), page(range(1, 3)), NOW);
    await saveDraft({ owner: ada.id, id: sampleId(9), fields: EMPTY_DRAFT, updatedAt: NOW });
    const bytes = new ArrayBuffer(8);
    await db.chunks.put({ owner: ada.id, fileId: sampleId(7), index: 0, bytes, digest: bytes });
    await db.bytes.put({ bytes, digest: bytes }, [ada.id, sampleId(8), 0]);
    await wipeDevice();
    expect(await rowCounts()).toEqual({});
    expect(await readOwner()).toBeNull();
  });

  it('signing out does so even when another call has met the ended session first', async () => {
    await saveDraft({ owner: ada.id, id: sampleId(9), fields: EMPTY_DRAFT, updatedAt: NOW });
    await releaseDevice();
    await wipeDevice();
    await releaseDevice();
    expect(await rowCounts()).toEqual({});
  });

  it("another person's sign-in removes the cache of the first, and shows none of their drafts", async () => {
    await writeList(key(), page(range(1, 3)), NOW);
    const fields = { ...EMPTY_DRAFT, title: 'A secret' };
    await saveDraft({ owner: ada.id, id: sampleId(9), fields, updatedAt: NOW });
    await releaseDevice();
    await claimDevice(grace, NOW);
    expect(await readOwner()).toBe(grace.id);
    expect(await readDrafts(grace.id)).toEqual([]);
    expect(await readDraft(grace.id, sampleId(9))).toBeNull();
    expect(await readList(key('created', 1, '', grace.id))).toBeNull();
    expect(await rowCounts()).toEqual({ drafts: 1, meta: 1, profiles: 1 });

    await claimDevice(ada, NOW);
    expect((await readDraft(ada.id, sampleId(9)))?.fields.title).toBe('A secret');
    expect((await readProfile(ada.id))?.user.name).toBe('Ada');
  });
});

describe('people', () => {
  it('chosen before are found without a connection, and oneself always', async () => {
    const known = { id: grace.id, name: 'Grace', email: grace.email, avatar: '', isYou: false };
    await rememberPeople(ada.id, [known]);
    expect((await findKnownPeople(ada.id, 'EXAMPLE.ORG')).map(({ name }) => name)).toEqual([
      'Ada',
      'Grace',
    ]);
    expect(await findKnownPeople(ada.id, 'grace')).toEqual([known]);
    expect(await findKnownPeople(grace.id, 'grace')).toEqual([]);
  });
});

describe('drafts', () => {
  it('stand side by side, the newest first', async () => {
    for (const n of [7, 9, 8]) {
      const updatedAt = NOW + n;
      await saveDraft({ owner: ada.id, id: sampleId(n), fields: EMPTY_DRAFT, updatedAt });
    }
    const ids = (await readDrafts(ada.id)).map(({ id }) => id);
    expect(ids).toEqual([9, 8, 7].map(sampleId));
  });

  it('are kept in the very instant in which it ends', async () => {
    const remove = db.meta.delete.bind(db.meta);
    let saved: unknown;
    vi.spyOn(db.meta, 'delete').mockImplementationOnce((key) =>
      remove(key).then(async () => {
        const draft = { owner: ada.id, id: sampleId(8), fields: EMPTY_DRAFT, updatedAt: NOW };
        saved = await saveDraft(draft);
      }),
    );
    await releaseDevice();
    expect(saved).toMatchObject({ kind: 'saved' });
  });

  it('are kept when the session has ended meanwhile', async () => {
    await releaseDevice();
    await saveDraft({ owner: ada.id, id: sampleId(8), fields: EMPTY_DRAFT, updatedAt: NOW });
    expect(await readDraft(ada.id, sampleId(8))).not.toBeNull();
  });
});
