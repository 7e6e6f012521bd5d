import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { db, openDatabase } from './database.ts';
import { readDraft, saveDraft } from './drafts.ts';
import { enqueue } from './outbox.ts';
import { type DraftFields, type DraftRow, EMPTY_DRAFT } from './tables.ts';

const base: DraftRow = {
  id: sampleId(1),
  fields: { ...EMPTY_DRAFT, title: 'Lake', description: 'Cold' },
  files: [],
  updatedAt: 10,
};

function changed(fields: Partial<DraftFields>, updatedAt: number): DraftRow {
  return { ...base, fields: { ...base.fields, ...fields }, updatedAt };
}

describe('a draft that two tabs have open', () => {
  beforeEach(async () => {
    await openDatabase(sampleId(101));
    await Promise.all(db.tables.map((table) => table.clear()));
    await saveDraft(base);
  });

  it('is not brought back by the tab that did not seal it, nor sealed twice', async () => {
    const item = await enqueue(base, 'UTC', 40);
    expect(await saveDraft(changed({ title: 'Late' }, 50))).toBeNull();
    expect(await enqueue(changed({ title: 'Late' }, 50), 'UTC', 60)).toEqual(item);
    expect(await db.drafts.count()).toBe(0);
  });

  it('is kept whole by the tab that still writes when the other has discarded it', async () => {
    await db.drafts.clear();
    const late = changed({ title: 'Not done' }, 50);
    await saveDraft(late, { fields: { title: 'Not done' } });
    expect(await readDraft(base.id)).toEqual(late);
  });
});
