import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  sampleCapsule,
  sampleId,
  sampleItem,
  sampleUser,
} from '../../tests/support/sample-capsule.ts';
import { readCapsule } from './capsules.ts';
import { type DraftRow, db } from './db.ts';
import { EMPTY_DRAFT, readDraft, saveDraft } from './drafts.ts';
import { readProfile } from './figures.ts';
import { keepFile, removeUnfinished } from './keep-file.ts';
import { readChunk } from './kept-bytes.ts';
import { findIncomplete, readBrokenFiles, readFiles } from './kept-files.ts';
import { searchKept } from './kept-search.ts';
import { readLatestSummary } from './latest-summary.ts';
import { readLimits } from './limits.ts';
import { readList, writeList } from './lists.ts';
import { claimForSending, enqueue, hurryAll, nextDue, nextTryAt, releaseCutOff } from './outbox.ts';
import { claimDevice, readOwner } from './owner.ts';
import { findKnownPeople } from './people.ts';
import { readUnreadable } from './unreadable.ts';
import { countUnsent } from './unsent.ts';
import { readDrafts, readItem, readOutbox } from './waiting.ts';

const ada = sampleUser(101, 'Ada');
const owner = ada.id;
const draft: DraftRow = {
  owner,
  id: sampleId(1),
  fields: { ...EMPTY_DRAFT, title: 'Lake' },
  updatedAt: 1,
};

/** A row as no version of the app has ever written it. */
async function damage(table: string, row: object): Promise<void> {
  await db.table(table).put(row);
}

beforeEach(async () => {
  await Promise.all(db.tables.map((table) => table.clear()));
  await claimDevice(ada, 0);
});

describe('a damaged draft', () => {
  it.each([
    ['without its fields', { fields: undefined }],
    ['with a number for a title', { fields: { ...EMPTY_DRAFT, title: 7 } }],
    ['with a day that is none', { fields: { ...EMPTY_DRAFT, dateToUnlock: 'soon' } }],
    ['with recipients that are none', { fields: { ...EMPTY_DRAFT, recipients: [null] } }],
    ['without its time', { updatedAt: 'yesterday' }],
    ['with a failure that is none', { failure: 'no' }],
  ])('%s is listed apart, and the others are shown', async (_, change) => {
    await saveDraft({ ...draft, id: sampleId(2) });
    await damage('drafts', { ...draft, ...change });
    expect((await readDrafts(owner)).map(({ id }) => id)).toEqual([sampleId(2)]);
    expect(await readDraft(owner, draft.id)).toBeNull();
    expect(await readUnreadable(owner)).toMatchObject([{ kind: 'draft', id: draft.id }]);
    expect(await countUnsent(owner)).toEqual({ drafts: 2, queued: 0 });
  });

  it('gives back the words that are left in it', async () => {
    const fields = { title: 'Lake', personalMessage: { deep: ['See you'] }, recipients: 'x' };
    await damage('drafts', { ...draft, fields });
    expect((await readUnreadable(owner))[0]?.words).toEqual(['Lake', 'See you', 'x']);
  });
});

describe('a damaged capsule in the outbox', () => {
  it.each([
    ['without its fields', { fields: null }],
    ['in a state that is none', { state: 'lost' }],
    ['with a zone that is none', { timeZone: 'Atlantis/Poseidonis' }],
    ['queued at no time', { queuedAt: Number.NaN }],
    ['with a failure that is none', { failure: undefined }],
    ['without its next try', { nextTryAt: undefined }],
  ])('%s holds up no other, and stays', async (_, change) => {
    await damage('outbox', { ...sampleItem(1), ...change });
    await db.outbox.put(sampleItem(2, { state: 'sending' }));
    await releaseCutOff(owner);
    await hurryAll(owner, 5);
    expect((await nextDue(owner, 5))?.id).toBe(sampleId(2));
    expect(await nextTryAt(owner)).toBe(0);
    expect((await readOutbox(owner)).map(({ id }) => id)).toEqual([sampleId(2)]);
    expect(await readItem(owner, sampleId(1))).toBeNull();
    expect(await readUnreadable(owner)).toMatchObject([{ kind: 'capsule', id: sampleId(1) }]);
    expect(await claimForSending(sampleItem(2))).toBe(true);
    expect(await db.outbox.count()).toBe(2);
  });
});

describe('a damaged file', () => {
  beforeEach(() => saveDraft(draft));

  it('whose row is damaged is shown apart, and is no leftover', async () => {
    const kept = await keepFile(owner, draft.id, new File(['abc'], 'a.png'));
    const good = await keepFile(owner, draft.id, new File(['abc'], 'b.png'));
    await damage('files', { ...kept, bytes: 'three', complete: undefined });
    await removeUnfinished(owner);
    expect((await readFiles(owner, draft.id)).map(({ id }) => id)).toEqual([good.id]);
    expect(await readBrokenFiles(owner, draft.id)).toEqual([{ owner, id: kept.id }]);
    await expect(enqueue(draft, 'UTC', 2)).rejects.toMatchObject({ name: 'FilesNotKeptError' });
    expect(await readDraft(owner, draft.id)).not.toBeNull();
  });

  it('that has lost its bytes is named before it is sealed', async () => {
    const kept = await keepFile(owner, draft.id, new File(['abc'], 'a.png'));
    await db.bytes.clear();
    expect(await findIncomplete([kept])).toEqual([kept]);
    await expect(enqueue(draft, 'UTC', 2)).rejects.toMatchObject({ fileNames: ['a.png'] });
    expect(await countUnsent(owner)).toEqual({ drafts: 1, queued: 0 });
  });

  it('that the screen shows and the device has not is named before it is sealed', async () => {
    const shown = [{ key: sampleId(9), name: 'gone.png' }];
    await expect(enqueue(draft, 'UTC', 2, shown)).rejects.toMatchObject({
      fileNames: ['gone.png'],
    });
  });

  it.each([
    ['other bytes', (bytes: ArrayBuffer) => new Uint8Array(bytes).map((byte) => byte ^ 1).buffer],
    ['no buffer', () => 'abc'],
  ])('with %s is noticed when it is read, by its name', async (_, change) => {
    const kept = await keepFile(owner, draft.id, new File(['abc'], 'a.png'));
    const key: [string, string, number] = [owner, kept.id, 0];
    const chunk = await db.bytes.get(key);
    if (!(chunk?.bytes instanceof ArrayBuffer)) throw new Error('There is no such chunk.');
    await db.table('bytes').put({ ...chunk, bytes: change(chunk.bytes) }, key);
    await expect(readChunk(kept, 0)).rejects.toMatchObject({
      reason: 'unreadable',
      file: { name: 'a.png' },
    });
  });
});

describe('damaged rows of the cache', () => {
  it('are as good as none, and the next answer takes their place', async () => {
    const key = { owner, type: 'created', query: '', page: 1 } as const;
    const pagination = { currentPage: 1, totalPages: 1, itemsPerPage: 6, totalItems: 2 };
    const capsules = [sampleCapsule(1), sampleCapsule(2)];
    await writeList(key, { capsules, pagination }, 5);
    await damage('capsules', { owner, id: sampleId(1), lists: ['created'], capsule: { id: 7 } });
    expect((await readList(key))?.capsules.map(({ id }) => id)).toEqual([sampleId(2)]);
    expect((await searchKept({ ...key, query: 'capsule' })).capsules).toHaveLength(1);
    expect(await readCapsule(owner, sampleId(1))).toBeNull();

    await damage('lists', { ...key, ids: null, pagination: 'all' });
    expect(await readList(key)).toBeNull();
    await writeList(key, { capsules, pagination }, 6);
    expect((await readList(key))?.capsules).toHaveLength(2);

    await damage('summaries', { owner, year: 2026, summary: {}, fetchedAt: 1 });
    await damage('profiles', { owner, user: 'Ada' });
    await damage('limits', { owner, limits: [] });
    await damage('people', { owner, id: sampleId(3), person: null });
    await damage('meta', { key: 'last-owner', value: 7 });
    expect(await readLatestSummary(owner)).toBeNull();
    expect(await readProfile(owner)).toBeNull();
    expect(await readLimits(owner)).toBeNull();
    expect(await findKnownPeople(owner, '')).toEqual([]);
    await damage('meta', { key: 'owner', value: { id: 7 } });
    expect(await readOwner()).toBeNull();
  });
});
