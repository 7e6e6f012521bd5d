import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleId, sampleUser } from '../../tests/support/sample-capsule.ts';
import { type DraftFields, type DraftRow, db } from './db.ts';
import { EMPTY_DRAFT, readDraft, saveDraft } from './drafts.ts';
import { enqueue } from './outbox.ts';
import { claimDevice } from './owner.ts';

const ada = sampleUser(101, 'Ada');
const base: DraftRow = {
  owner: ada.id,
  id: sampleId(1),
  fields: { ...EMPTY_DRAFT, title: 'Lake', description: 'Cold' },
  updatedAt: 10,
};

function changed(fields: Partial<DraftFields>, updatedAt: number): DraftRow {
  return { ...base, fields: { ...base.fields, ...fields }, updatedAt };
}

/** Two tabs have read `base`; the first has saved its change when the second saves. */
describe('a draft that two tabs write to', () => {
  beforeEach(async () => {
    await Promise.all(db.tables.map((table) => table.clear()));
    await claimDevice(ada, 0);
    await saveDraft(base);
  });

  it('keeps what each has changed', async () => {
    await saveDraft(changed({ title: 'Garda' }, 20), base);
    const result = await saveDraft(changed({ personalMessage: 'See you' }, 15), base);
    expect(result).toMatchObject({ kind: 'saved', others: ['title'] });
    const kept = await readDraft(base.owner, base.id);
    expect(kept?.fields).toMatchObject({
      title: 'Garda',
      description: 'Cold',
      personalMessage: 'See you',
    });
    expect(kept?.updatedAt).toBe(21);
  });

  it('has the last word in a field that both have changed, and says so', async () => {
    await saveDraft(changed({ title: 'Garda' }, 20), base);
    const result = await saveDraft(changed({ title: 'Como' }, 30), base);
    expect(result).toMatchObject({ others: ['title'], draft: { fields: { title: 'Como' } } });
  });

  it('is not brought back by the tab that did not seal it, nor sealed twice', async () => {
    const item = await enqueue(base, 'UTC', 40);
    expect(await saveDraft(changed({ title: 'Late' }, 50), base)).toEqual({ kind: 'closed' });
    expect(await enqueue(changed({ title: 'Late' }, 50), 'UTC', 60)).toEqual(item);
    expect(await db.drafts.count()).toBe(0);
  });

  it('is kept by the tab that still writes when the other has discarded it', async () => {
    await db.drafts.clear();
    await saveDraft(changed({ title: 'Not done' }, 50), base);
    expect((await readDraft(base.owner, base.id))?.fields.title).toBe('Not done');
  });
});
