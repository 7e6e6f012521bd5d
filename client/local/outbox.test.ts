import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sampleId, sampleItem } from '../../tests/support/sample-capsule.ts';
import { db, type OutboxState } from './db.ts';
import { discardDraft, EMPTY_DRAFT, readDraft, saveDraft } from './drafts.ts';
import { keepFile } from './keep-file.ts';
import { readFiles, takeFileOut } from './kept-files.ts';
import {
  claimForSending,
  discardBrokenItem,
  discardItem,
  enqueue,
  hurryAll,
  nextDue,
  nextTryAt,
  noteLeaving,
  PAUSE_MAX_MS,
  postponeAll,
  refuseItem,
  releaseCutOff,
  reopenAsDraft,
  resumeWaiting,
  retryNow,
} from './outbox.ts';
import { countUnsent } from './unsent.ts';
import { readItem } from './waiting.ts';

const ada = sampleId(101);
const draft = {
  owner: ada,
  id: sampleId(1),
  fields: { ...EMPTY_DRAFT, title: 'Lake' },
  updatedAt: 0,
};
const NOW = 1_000;

beforeEach(async () => {
  await Promise.all(db.tables.map((table) => table.clear()));
  await db.meta.put({ key: 'owner', value: ada });
});

describe('queueing', () => {
  it('moves the draft and its files in one step', async () => {
    await saveDraft(draft);
    await keepFile(ada, draft.id, new File(['abc'], 'a.png'));
    const item = await enqueue(draft, 'UTC', NOW);
    expect(item).toMatchObject({ id: draft.id, state: 'queued', fileCount: 1, totalBytes: 3 });
    expect(await readDraft(ada, draft.id)).toBeNull();
    expect(await countUnsent(ada)).toEqual({ drafts: 0, queued: 1 });
  });

  it('waits for files that are still being copied: the draft stays', async () => {
    await saveDraft(draft);
    const file = await keepFile(ada, draft.id, new File(['abc'], 'a.png'));
    await db.files.put({ ...file, complete: false });
    await expect(enqueue(draft, 'UTC', NOW)).rejects.toMatchObject({ name: 'FilesNotKeptError' });
    await db.files.put({ ...file, complete: false, lost: true });
    await expect(enqueue(draft, 'UTC', NOW)).rejects.toMatchObject({ fileNames: ['a.png'] });
    expect(await countUnsent(ada)).toEqual({ drafts: 1, queued: 0 });
  });

  it('another tab that still types cannot bring the draft back', async () => {
    await enqueue(draft, 'UTC', NOW);
    await saveDraft(draft);
    expect(await countUnsent(ada)).toEqual({ drafts: 0, queued: 1 });
  });
});

describe('the order of sending', () => {
  it('is that of queueing; what failed steps behind', async () => {
    const state = 'retry-at';
    await db.outbox.bulkPut([sampleItem(1, { attempts: 1, state }), sampleItem(2), sampleItem(3)]);
    expect((await nextDue(ada, NOW))?.id).toBe(sampleId(2));
    await db.outbox.bulkDelete([2, 3].map((n) => [ada, sampleId(n)]));
    expect((await nextDue(ada, NOW))?.id).toBe(sampleId(1));
  });

  it('leaves out what waits for its time, for the person, or belongs to another', async () => {
    const states: OutboxState[] = ['needs-fix', 'needs-sign-in', 'storage-full'];
    await db.outbox.bulkPut([
      ...states.map((state, n) => sampleItem(n, { state })),
      sampleItem(7, { nextTryAt: NOW + 5 }),
      sampleItem(8, { owner: sampleId(102) }),
    ]);
    expect(await nextDue(ada, NOW)).toBeNull();
    expect(await nextTryAt(ada)).toBe(NOW + 5);
  });

  it('without a connection nobody is tried, and all at once when it is back', async () => {
    const failure = { code: 'NETWORK_ERROR', message: '', errors: {} };
    await db.outbox.bulkPut([sampleItem(1, { state: 'retry-at', failure }), sampleItem(2)]);
    await postponeAll(ada, NOW + 60);
    expect(await nextTryAt(ada)).toBe(NOW + 60);
    await hurryAll(ada, NOW);
    expect(await nextTryAt(ada)).toBe(NOW);
  });

  it('a busy server is left its time when the connection is back', async () => {
    const failure = { code: 'BUSY', message: '', errors: {} };
    await db.outbox.put(sampleItem(1, { state: 'retry-at', failure, nextTryAt: NOW + 60 }));
    await hurryAll(ada, NOW);
    expect(await nextTryAt(ada)).toBe(NOW + 60);
  });

  it('goes on after a sign-in, with more room, and after its sender was cut off', async () => {
    await db.outbox.bulkPut([
      sampleItem(1, { state: 'needs-sign-in' }),
      sampleItem(2, { state: 'sending', nextTryAt: NOW - 1 }),
      sampleItem(3, { state: 'storage-full' }),
      sampleItem(4, { state: 'needs-fix' }),
    ]);
    await resumeWaiting(ada, NOW);
    await releaseCutOff(ada);
    const states = await db.outbox.orderBy('[owner+id]').toArray();
    expect(states.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued', 'needs-fix']);
  });
});

describe('what is refused for want of room', () => {
  const sending = sampleItem(1, { state: 'sending', nextTryAt: NOW - 1 });
  const failure = { code: 'STORAGE_LIMIT_REACHED', message: '', errors: {} };
  const refuse = () => refuseItem(sending, { state: 'storage-full', failure });
  const stands = async () => (await db.outbox.get([sending.owner, sending.id]))?.state;
  beforeEach(() => db.outbox.put(sending));

  it('waits for its person', async () => {
    expect(await refuse()).toBe(true);
    expect(await stands()).toBe('storage-full');
  });

  it('goes again where room was made since it left', async () => {
    await resumeWaiting(ada, NOW);
    expect(await refuse()).toBe(false);
    expect(await db.outbox.get([sending.owner, sending.id])).toEqual({
      ...sending,
      state: 'queued',
      nextTryAt: NOW,
    });
  });

  it('goes again where room is made in the moment in which that is looked at', async () => {
    const get = db.outbox.get.bind(db.outbox);
    let resuming: PromiseLike<void> | undefined;
    const looking = vi.spyOn(db.outbox, 'get').mockImplementationOnce((key) =>
      get(key as never).then((row) => {
        resuming = Dexie.ignoreTransaction(() => resumeWaiting(ada, NOW));
        return row;
      }),
    );
    onTestFinished(() => looking.mockRestore());
    await refuse();
    await resuming;
    expect(await stands()).toBe('queued');
  });
});

describe('sending', () => {
  it("may begin only for an item that is still its sender's", async () => {
    const item = sampleItem(1, { state: 'sending' });
    await db.outbox.put(item);
    expect(await noteLeaving(item)).toBe(true);
    expect(await readItem(ada, item.id)).toMatchObject({ state: 'sending', mayHaveArrived: true });
    for (const state of ['queued', 'needs-fix'] as const) {
      await db.outbox.put({ ...item, state });
      expect(await noteLeaving(item)).toBe(false);
      expect(await readItem(ada, item.id)).toMatchObject({ state, mayHaveArrived: false });
    }
    await db.outbox.clear();
    expect(await noteLeaving(item)).toBe(false);
    expect(await db.outbox.count()).toBe(0);
  });

  it('goes on when somebody asks to try now what is on its way', async () => {
    const item = sampleItem(1, { state: 'sending' });
    await db.outbox.put(item);
    await retryNow(item, NOW);
    expect(await readItem(ada, item.id)).toEqual(item);
    await db.outbox.put({ ...item, state: 'retry-at' });
    await retryNow(item, NOW);
    expect(await readItem(ada, item.id)).toMatchObject({ state: 'queued', nextTryAt: NOW });
  });

  it('is not put off for months by a clock that was wrong', async () => {
    await db.outbox.put(sampleItem(1, { state: 'retry-at', nextTryAt: NOW + PAUSE_MAX_MS }));
    expect(await nextDue(ada, NOW)).toBeNull();
    await db.outbox.put(sampleItem(1, { state: 'retry-at', nextTryAt: NOW + PAUSE_MAX_MS + 1 }));
    expect((await nextDue(ada, NOW))?.id).toBe(sampleId(1));
  });
});

describe('taking back', () => {
  it('makes a draft again under a new key, with its files and the reason', async () => {
    await saveDraft(draft);
    await keepFile(ada, draft.id, new File(['abc'], 'a.png'));
    const item = await enqueue(draft, 'UTC', NOW);
    const failure = { code: 'FILE_TOO_LARGE', message: 'Too large', errors: { files: 'No' } };
    await db.outbox.put({ ...item, state: 'needs-fix', failure });
    const again = await reopenAsDraft(item, sampleId(2), NOW);
    expect(again).toMatchObject({ id: sampleId(2), fields: draft.fields, failure });
    expect(await readItem(ada, draft.id)).toBeNull();
    expect(await readFiles(ada, sampleId(2))).toHaveLength(1);
  });

  it.each([
    ['is on its way', { state: 'sending' as const }],
    ['may have arrived', { state: 'retry-at' as const, mayHaveArrived: true }],
  ])('is refused while it %s', async (_, change) => {
    const item = sampleItem(1, change);
    await db.outbox.put(item);
    expect(await reopenAsDraft(item, sampleId(2), NOW)).toBeNull();
    expect(await discardItem(item)).toBe(false);
    expect(await readItem(ada, item.id)).toEqual(item);
  });

  it('discards with the files', async () => {
    const item = sampleItem(1);
    await saveDraft(draft);
    await keepFile(ada, item.id, new File(['abc'], 'a.png'));
    await db.outbox.put(item);
    expect(await discardItem(item)).toBe(true);
    expect([await db.outbox.count(), await db.files.count(), await db.bytes.count()]).toEqual([
      0, 0, 0,
    ]);
  });

  it('says of what has just left that it could not be discarded', async () => {
    expect(await discardItem(sampleItem(1))).toBe(false);
  });

  it('another tab that discards the draft meanwhile, or a file of it, takes nothing of it', async () => {
    await saveDraft(draft);
    const file = await keepFile(ada, draft.id, new File(['abc'], 'a.png'));
    await db.files.update([ada, file.id], { announced: true });
    await enqueue(draft, 'UTC', NOW);
    await takeFileOut(ada, file.id);
    await discardDraft(draft);
    expect(await readFiles(ada, draft.id)).toHaveLength(1);
    expect([await db.bytes.count(), await db.abandoned.count()]).toEqual([1, 0]);
  });

  it('a draft, or a file of it, is discarded with what the server has heard of it', async () => {
    await saveDraft(draft);
    const [one, other] = [
      await keepFile(ada, draft.id, new File(['abc'], 'a.png')),
      await keepFile(ada, draft.id, new File(['def'], 'b.png')),
    ];
    for (const { id } of [one, other]) await db.files.update([ada, id], { announced: true });
    await takeFileOut(ada, one.id);
    expect(await db.abandoned.toArray()).toEqual([{ owner: ada, id: one.id }]);
    await discardDraft(draft);
    expect(await db.abandoned.count()).toBe(2);
    expect([await db.drafts.count(), await db.files.count(), await db.bytes.count()]).toEqual([
      0, 0, 0,
    ]);
  });

  it('notes what the server has heard of with the removal, and only that', async () => {
    const item = sampleItem(1);
    await saveDraft(draft);
    const heard = await keepFile(ada, item.id, new File(['abc'], 'a.png'));
    await keepFile(ada, item.id, new File(['def'], 'b.png'));
    await db.files.update([ada, heard.id], { announced: true });
    await db.outbox.put(item);
    expect(await discardItem(item)).toBe(true);
    expect(await db.abandoned.toArray()).toEqual([{ owner: ada, id: heard.id }]);
  });

  it.each([
    ['at its end', new Dexie.AbortError('Full', new DOMException('', 'QuotaExceededError'))],
    ['by row', new Dexie.BulkError('Full', [new DOMException('', 'QuotaExceededError')])],
  ])(
    'a device without room even for that, which says so %s, still lets go of it',
    async (_, full) => {
      const [item, broken] = [sampleItem(2), sampleItem(3)];
      for (const id of [draft.id, item.id, broken.id]) await saveDraft({ ...draft, id });
      for (const id of [draft.id, draft.id, item.id, broken.id]) {
        const file = await keepFile(ada, id, new File(['abc'], 'a.png'));
        await db.files.update([ada, file.id], { announced: true });
      }
      await db.drafts.bulkDelete([item, broken].map(({ id }) => [ada, id]));
      await db.outbox.bulkPut([item, broken]);
      const note = vi.spyOn(db.abandoned, 'bulkPut').mockRejectedValue(full);
      const [one] = await readFiles(ada, draft.id);
      await takeFileOut(ada, one?.id ?? '');
      await discardDraft(draft);
      expect(await discardItem(item)).toBe(true);
      await discardBrokenItem(broken);
      expect(note).toHaveBeenCalledTimes(4);
      note.mockRestore();
      const left = [db.drafts, db.outbox, db.files, db.bytes, db.abandoned];
      expect(await Promise.all(left.map((table) => table.count()))).toEqual([0, 0, 0, 0, 0]);
    },
  );

  it('takes back what says that it is on its way only where nobody sends', async () => {
    const item = { ...sampleItem(1), state: 'sending' as const };
    await db.outbox.put(item);
    expect(await discardItem(item)).toBe(false);
    expect(await reopenAsDraft(item, sampleId(2), NOW)).toBeNull();
    expect(await discardItem(item, true)).toBe(true);
    await db.outbox.put({ ...item, mayHaveArrived: true });
    expect(await discardItem(item, true)).toBe(false);
  });

  it('a sender finds nothing to claim once it is taken back', async () => {
    const item = sampleItem(1);
    await db.outbox.put(item);
    await reopenAsDraft(item, sampleId(2), NOW);
    expect(await claimForSending(item)).toBe(false);
    expect(await readItem(ada, item.id)).toBeNull();
  });
});
