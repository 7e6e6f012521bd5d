import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleId, sampleItem } from '../../tests/support/sample-capsule.ts';
import { attach } from './attach.support.ts';
import { readAttachments, readOrphaned, removeAttachment, sweepFiles } from './attachments.ts';
import { db, openDatabase } from './database.ts';
import { discardDraft, readDraft, saveDraft } from './drafts.ts';
import { PAUSE_MAX_MS } from './due.ts';
import {
  backOffAll,
  claimForSending,
  discardItem,
  enqueue,
  markInFlight,
  nextDue,
  nextTryAt,
  readItem,
  reopenAsDraft,
  requeueInterrupted,
  retryItem,
  retryRefused,
  retryUnreachable,
} from './outbox.ts';
import { NOTHING } from './receive-draft.ts';
import { putPiece } from './recordings.ts';
import { EMPTY_DRAFT, type OutboxState } from './tables.ts';

const draft = {
  id: sampleId(1),
  fields: { ...EMPTY_DRAFT, title: 'Lake' },
  files: [],
  updatedAt: 0,
};
const NOW = 1_000;

async function countUnsent() {
  return { drafts: await db.drafts.count(), queued: await db.outbox.count() };
}

beforeEach(async () => {
  await openDatabase(sampleId(101));
  await Promise.all(db.tables.map((table) => table.clear()));
});

describe('queueing', () => {
  it('moves the draft and its files in one step', async () => {
    await saveDraft(draft);
    const { id } = await attach(draft.id, new File(['abc'], 'a.png'));
    const item = await enqueue(draft, 'UTC', NOW);
    expect(item).toMatchObject({ id: draft.id, state: 'queued', files: [id], totalBytes: 3 });
    expect(await readDraft(draft.id)).toBeNull();
    expect(await countUnsent()).toEqual({ drafts: 0, queued: 1 });
  });

  it('waits for files that are still being copied: the draft stays', async () => {
    await saveDraft(draft);
    const file = await attach(draft.id, new File(['abc'], 'a.png'));
    await db.attachments.put({ ...file, complete: false });
    await expect(enqueue(draft, 'UTC', NOW)).rejects.toMatchObject({ name: 'FilesMissingError' });
    await db.attachments.put({ ...file, complete: false, lost: true });
    await expect(enqueue(draft, 'UTC', NOW)).rejects.toMatchObject({ fileNames: ['a.png'] });
    expect(await countUnsent()).toEqual({ drafts: 1, queued: 0 });
  });

  it('takes nothing that another device has written since the person has looked', async () => {
    const changed = { name: 'DraftChangedError' };
    await saveDraft(draft);
    const shown = [await attach(draft.id, new File(['abc'], 'a.png'))];
    await saveDraft(draft, { fields: { description: 'At night' } });
    await expect(enqueue(draft, 'UTC', NOW, shown)).rejects.toMatchObject(changed);
    const seen = { ...draft, fields: { ...draft.fields, description: 'At night' } };
    await attach(draft.id, new File(['def'], 'b.png'));
    await expect(enqueue(seen, 'UTC', NOW, shown)).rejects.toMatchObject(changed);
    expect(await countUnsent()).toEqual({ drafts: 1, queued: 0 });
    expect(await enqueue(seen, 'UTC', NOW)).toMatchObject({ fields: seen.fields });
  });

  it('another tab that still types cannot bring the draft back', async () => {
    await enqueue(draft, 'UTC', NOW);
    await saveDraft(draft);
    expect(await countUnsent()).toEqual({ drafts: 0, queued: 1 });
  });
});

describe('a draft that the account has', () => {
  it('is queued as such also when another device has just sealed it', async () => {
    const account = { revision: 3, content: NOTHING };
    expect(await enqueue({ ...draft, account }, 'UTC', NOW)).toMatchObject({ account });
  });
});

describe('the order of sending', () => {
  it('is that of queueing; what failed steps behind', async () => {
    const state = 'retry-at';
    await db.outbox.bulkPut([sampleItem(1, { attempts: 1, state }), sampleItem(2), sampleItem(3)]);
    expect((await nextDue(NOW))?.id).toBe(sampleId(2));
    await db.outbox.bulkDelete([2, 3].map(sampleId));
    expect((await nextDue(NOW))?.id).toBe(sampleId(1));
  });

  it('leaves out what waits for its time, or for the person', async () => {
    const states: OutboxState[] = ['needs-fix', 'needs-sign-in', 'storage-full'];
    await db.outbox.bulkPut([
      ...states.map((state, n) => sampleItem(n, { state })),
      sampleItem(7, { nextTryAt: NOW + 5 }),
    ]);
    expect(await nextDue(NOW)).toBeNull();
    expect(await nextTryAt()).toBe(NOW + 5);
  });

  it('without a connection nobody is tried, and all at once when it is back', async () => {
    const failure = { code: 'NETWORK_ERROR', message: '', errors: {} };
    await db.outbox.bulkPut([sampleItem(1, { state: 'retry-at', failure }), sampleItem(2)]);
    await backOffAll(NOW + 60);
    expect(await nextTryAt()).toBe(NOW + 60);
    await retryUnreachable(NOW);
    expect(await nextTryAt()).toBe(NOW);
  });

  it('a busy server is left its time when the connection is back', async () => {
    const failure = { code: 'BUSY', message: '', errors: {} };
    await db.outbox.put(sampleItem(1, { state: 'retry-at', failure, nextTryAt: NOW + 60 }));
    await retryUnreachable(NOW);
    expect(await nextTryAt()).toBe(NOW + 60);
  });

  it('goes on after a sign-in, with more room, and after its sender was cut off', async () => {
    await db.outbox.bulkPut([
      sampleItem(1, { state: 'needs-sign-in' }),
      sampleItem(2, { state: 'sending', nextTryAt: NOW - 1 }),
      sampleItem(3, { state: 'storage-full' }),
      sampleItem(4, { state: 'needs-fix' }),
    ]);
    await retryRefused(NOW);
    await requeueInterrupted();
    const states = await db.outbox.orderBy('id').toArray();
    expect(states.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued', 'needs-fix']);
  });
});

describe('sending', () => {
  it("may begin only for an item that is still its sender's", async () => {
    const item = sampleItem(1, { state: 'sending' });
    await db.outbox.put(item);
    expect(await markInFlight(item.id)).toBe(true);
    expect(await readItem(item.id)).toMatchObject({ state: 'sending', mayHaveArrived: true });
    for (const state of ['queued', 'needs-fix'] as const) {
      await db.outbox.put({ ...item, state });
      expect(await markInFlight(item.id)).toBe(false);
      expect(await readItem(item.id)).toMatchObject({ state, mayHaveArrived: false });
    }
    await db.outbox.clear();
    expect(await markInFlight(item.id)).toBe(false);
    expect(await db.outbox.count()).toBe(0);
  });

  it('goes on when somebody asks to try now what is on its way', async () => {
    const item = sampleItem(1, { state: 'sending' });
    await db.outbox.put(item);
    await retryItem(item.id, NOW);
    expect(await readItem(item.id)).toEqual(item);
    await db.outbox.put({ ...item, state: 'retry-at' });
    await retryItem(item.id, NOW);
    expect(await readItem(item.id)).toMatchObject({ state: 'queued', nextTryAt: NOW });
  });

  it('is not put off for months by a clock that was wrong', async () => {
    await db.outbox.put(sampleItem(1, { state: 'retry-at', nextTryAt: NOW + PAUSE_MAX_MS }));
    expect(await nextDue(NOW)).toBeNull();
    await db.outbox.put(sampleItem(1, { state: 'retry-at', nextTryAt: NOW + PAUSE_MAX_MS + 1 }));
    expect((await nextDue(NOW))?.id).toBe(sampleId(1));
  });
});

describe('taking back', () => {
  it('makes a draft again under a new key, with its files and the reason', async () => {
    await saveDraft(draft);
    await attach(draft.id, new File(['abc'], 'a.png'));
    const item = await enqueue(draft, 'UTC', NOW);
    const failure = { code: 'FILE_TOO_LARGE', message: 'Too large', errors: { files: 'No' } };
    await db.outbox.put({ ...item, state: 'needs-fix', failure });
    const again = await reopenAsDraft(item.id, sampleId(2));
    const updatedAt = item.queuedAt;
    expect(again).toMatchObject({ id: sampleId(2), fields: draft.fields, failure, updatedAt });
    expect(await readItem(draft.id)).toBeNull();
    expect(await readAttachments(sampleId(2))).toHaveLength(1);
  });

  it.each([
    { files: [sampleId(3)], errors: { files: 'Full.' } },
    { files: [], errors: {} },
  ])('says of the files, if there are any, that there is no room: $errors', async (one) => {
    const failure = { code: 'STORAGE_LIMIT_REACHED', message: 'Full.', errors: {} };
    await db.outbox.put(sampleItem(1, { state: 'storage-full', failure, files: one.files }));
    const again = await reopenAsDraft(sampleId(1), sampleId(2));
    expect(again?.failure).toEqual({ ...failure, errors: one.errors });
  });

  it.each([
    ['is on its way', { state: 'sending' as const }],
    ['may have arrived', { state: 'retry-at' as const, mayHaveArrived: true }],
  ])('is refused while it %s', async (_, change) => {
    const item = sampleItem(1, change);
    await db.outbox.put(item);
    expect(await reopenAsDraft(item.id, sampleId(2))).toBeNull();
    expect(await discardItem(item.id)).toBe(false);
    expect(await readItem(item.id)).toEqual(item);
  });

  it('discards with the files', async () => {
    await saveDraft(draft);
    await attach(draft.id, new File(['abc'], 'a.png'));
    await enqueue(draft, 'UTC', NOW);
    expect(await discardItem(draft.id)).toBe(true);
    await sweepFiles();
    expect([
      await db.outbox.count(),
      await db.attachments.count(),
      await db.chunks.count(),
    ]).toEqual([0, 0, 0]);
  });

  it('says of what has just left that it could not be discarded', async () => {
    expect(await discardItem(sampleId(1))).toBe(false);
  });

  it('another tab that discards the draft meanwhile, or a file of it, takes nothing of it', async () => {
    await saveDraft(draft);
    const file = await attach(draft.id, new File(['abc'], 'a.png'));
    await db.attachments.update(file.id, { announced: true });
    await enqueue(draft, 'UTC', NOW);
    await removeAttachment(draft.id, file.id);
    await discardDraft(draft);
    await sweepFiles();
    expect(await readAttachments(draft.id)).toHaveLength(1);
    expect([await db.chunks.count(), await db.orphanedUploads.count()]).toEqual([1, 0]);
  });

  it('what two name stays for the other, and its upload is not cancelled', async () => {
    for (const id of [draft.id, sampleId(2)]) await saveDraft({ ...draft, id });
    const file = await attach(draft.id, new File(['abc'], 'a.png'));
    await db.attachments.update(file.id, { announced: true });
    await db.drafts.update(sampleId(2), { files: [file.id] });
    await enqueue(draft, 'UTC', NOW);
    await removeAttachment(sampleId(2), file.id);
    expect(await readAttachments(sampleId(2))).toEqual([]);
    expect(await readAttachments(draft.id)).toHaveLength(1);
    expect([await db.chunks.count(), await db.orphanedUploads.count()]).toEqual([1, 0]);
    // Noted by another device that let go of it.
    await db.orphanedUploads.put({ id: file.id });
    expect(await readOrphaned()).toEqual([]);
    expect(await db.orphanedUploads.count()).toBe(0);
  });

  it('a file is out before its upload is noted: one that stays is not cancelled', async () => {
    await saveDraft(draft);
    const file = await attach(draft.id, new File(['abc'], 'a.png'));
    await db.attachments.update(file.id, { announced: true });
    vi.spyOn(db.orphanedUploads, 'bulkPut').mockRejectedValue(new Error('killed'));
    await expect(removeAttachment(draft.id, file.id)).rejects.toThrow('killed');
    expect((await readDraft(draft.id))?.files).toEqual([]);
    await expect(discardDraft(draft)).resolves.toBeUndefined();
  });

  it('a device too full to say what a draft names lets go of the file all the same', async () => {
    await saveDraft(draft);
    const file = await attach(draft.id, new File(['abc'], 'a.png'));
    const full = new DOMException('Full', 'QuotaExceededError');
    vi.spyOn(db.drafts, 'where').mockImplementationOnce(() => {
      throw full;
    });
    await removeAttachment(draft.id, file.id);
    expect([await db.attachments.count(), await db.chunks.count()]).toEqual([0, 0]);
    expect(await readAttachments(draft.id)).toEqual([]);
  });

  it('a draft, or a file of it, is discarded with what the server has heard of it', async () => {
    await saveDraft(draft);
    const [one, other] = [
      await attach(draft.id, new File(['abc'], 'a.png')),
      await attach(draft.id, new File(['def'], 'b.png')),
    ];
    for (const { id } of [one, other]) await db.attachments.update(id, { announced: true });
    await putPiece(draft.id, 1, new Blob(['of a recording']));
    await removeAttachment(draft.id, one.id);
    expect(await db.orphanedUploads.toArray()).toEqual([{ id: one.id }]);
    await discardDraft(draft);
    expect(await db.orphanedUploads.count()).toBe(2);
    await sweepFiles();
    expect([
      await db.drafts.count(),
      await db.attachments.count(),
      await db.chunks.count(),
    ]).toEqual([0, 0, 0]);
  });

  it('notes what the server has heard of with the removal, and only that', async () => {
    await saveDraft(draft);
    const heard = await attach(draft.id, new File(['abc'], 'a.png'));
    await attach(draft.id, new File(['def'], 'b.png'));
    await db.attachments.update(heard.id, { announced: true });
    await enqueue(draft, 'UTC', NOW);
    expect(await discardItem(draft.id)).toBe(true);
    expect(await db.orphanedUploads.toArray()).toEqual([{ id: heard.id }]);
  });

  it.each([
    ['at its end', new Dexie.AbortError('Full', new DOMException('', 'QuotaExceededError'))],
    ['by row', new Dexie.BulkError('Full', [new DOMException('', 'QuotaExceededError')])],
  ])(
    'a device without room even for that, which says so %s, still lets go of it',
    async (_, full) => {
      const item = sampleItem(2);
      for (const id of [draft.id, item.id]) await saveDraft({ ...draft, id });
      for (const id of [draft.id, draft.id, item.id]) {
        const file = await attach(id, new File(['abc'], 'a.png'));
        await db.attachments.update(file.id, { announced: true });
      }
      const { files = [] } = (await readDraft(item.id)) ?? {};
      await db.drafts.delete(item.id);
      await db.outbox.put({ ...item, files });
      const note = vi.spyOn(db.orphanedUploads, 'bulkPut').mockRejectedValue(full);
      const [one] = await readAttachments(draft.id);
      await removeAttachment(draft.id, one?.id ?? '');
      await discardDraft(draft);
      expect(await discardItem(item.id)).toBe(true);
      expect(note).toHaveBeenCalledTimes(3);
      note.mockRestore();
      await sweepFiles();
      const left = [db.drafts, db.outbox, db.attachments, db.chunks, db.orphanedUploads];
      expect(await Promise.all(left.map((table) => table.count()))).toEqual([0, 0, 0, 0, 0]);
    },
  );

  it('takes back what says that it is on its way only where nobody sends', async () => {
    const item = { ...sampleItem(1), state: 'sending' as const };
    await db.outbox.put(item);
    expect(await discardItem(item.id)).toBe(false);
    expect(await reopenAsDraft(item.id, sampleId(2))).toBeNull();
    expect(await discardItem(item.id, true)).toBe(true);
    await db.outbox.put({ ...item, mayHaveArrived: true });
    expect(await discardItem(item.id, true)).toBe(false);
  });

  it('a sender finds nothing to claim once it is taken back', async () => {
    const item = sampleItem(1);
    await db.outbox.put(item);
    await reopenAsDraft(item.id, sampleId(2));
    expect(await claimForSending(item.id)).toBe(false);
    expect(await readItem(item.id)).toBeNull();
  });
});
