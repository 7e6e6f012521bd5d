import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleId, sampleItem, sampleUser } from '../../tests/support/sample-capsule.ts';
import { type DraftFields, type DraftRow, db } from './db.ts';
import { EMPTY_DRAFT, readDraft } from './drafts.ts';
import { forgetLastWords, landLastWords, noteLastWords } from './last-words.ts';
import { LAST_WORDS } from './last-words-names.ts';
import { claimDevice } from './owner.ts';
import { wipeDevice } from './wipe.ts';

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

async function landed(): Promise<Partial<DraftFields> | undefined> {
  await landLastWords(db);
  return (await readDraft(base.owner, base.id))?.fields;
}

const left = () => Object.keys(localStorage);

/** As a browser has it: its names are its own keys. */
function createStorage(): Storage {
  const methods = {
    getItem: (name: string) => Object.getOwnPropertyDescriptor(storage, name)?.value ?? null,
    setItem: (name: string, value: string) => Object.assign(storage, { [name]: value }),
    removeItem: (name: string) => Reflect.deleteProperty(storage, name),
  };
  const storage = Object.create(methods);
  return storage;
}

describe('what was typed right before a page went', () => {
  beforeEach(async () => {
    vi.stubGlobal('localStorage', createStorage());
    await Promise.all(db.tables.map((table) => table.clear()));
    await claimDevice(ada, 0);
    await db.drafts.put(base);
  });
  afterEach(() => vi.unstubAllGlobals());

  it('is in its draft with the next page, and nowhere else', async () => {
    noteLastWords({ draft: changed({ title: 'Lake Garda' }, 20), base });
    expect(await landed()).toMatchObject({ title: 'Lake Garda', description: 'Cold' });
    expect(left()).toEqual([]);
  });

  it('begins a draft that the device has not seen', async () => {
    await db.drafts.clear();
    noteLastWords({ draft: changed({ title: 'New' }, 20), base: null });
    expect(await landed()).toMatchObject({ title: 'New' });
  });

  it('may have been written after all', async () => {
    noteLastWords({ draft: changed({ title: 'Garda' }, 20), base });
    await db.drafts.put(changed({ title: 'Garda' }, 20));
    expect(await landed()).toMatchObject({ title: 'Garda', description: 'Cold' });
  });

  it('does not undo what has been typed since in another tab', async () => {
    noteLastWords({ draft: changed({ title: 'Garda', personalMessage: 'See you' }, 20), base });
    await db.drafts.put(changed({ title: 'Como' }, 30));
    expect(await landed()).toMatchObject({ title: 'Como', personalMessage: 'See you' });
  });

  it('keeps what another tab had typed in other fields before', async () => {
    noteLastWords({ draft: changed({ title: 'Garda' }, 20), base });
    await db.drafts.put(changed({ description: 'Warm' }, 15));
    expect(await landed()).toMatchObject({ title: 'Garda', description: 'Warm' });
  });

  it('changes nothing about a capsule that is sealed', async () => {
    await db.drafts.clear();
    await db.outbox.put({ ...sampleItem(1), owner: base.owner, id: base.id });
    noteLastWords({ draft: changed({ title: 'Late' }, 20), base: null });
    expect(await landed()).toBeUndefined();
    expect(left()).toEqual([]);
  });

  it('is forgotten once it is written', async () => {
    noteLastWords({ draft: changed({ title: 'Garda' }, 20), base });
    forgetLastWords(changed({ title: 'Gar' }, 15));
    expect(left()).toHaveLength(1);
    forgetLastWords(changed({ title: 'Garda' }, 20));
    expect(left()).toEqual([]);
  });

  it('of another page is not forgotten by this one, and lands beside its own', async () => {
    const other = `${LAST_WORDS}${ada.id} ${base.id} other`;
    const words = { draft: changed({ description: 'Warm' }, 25), base };
    localStorage.setItem(other, JSON.stringify(words));
    noteLastWords({ draft: changed({ title: 'Garda' }, 20), base });
    forgetLastWords(changed({ title: 'Garda' }, 20));
    expect(left()).toEqual([other]);
    noteLastWords({ draft: changed({ title: 'Garda' }, 20), base });
    expect(await landed()).toMatchObject({ title: 'Garda', description: 'Warm' });
    expect(left()).toEqual([]);
  });

  it('brings back no draft that was discarded, or sealed and delivered', async () => {
    await db.drafts.clear();
    noteLastWords({ draft: changed({ title: 'Late' }, 20), base });
    expect(await landed()).toBeUndefined();
    expect(left()).toEqual([]);
  });

  it('waits for its person while somebody else is here, or nobody', async () => {
    noteLastWords({ draft: changed({ title: 'Garda' }, 20), base });
    await db.meta.clear();
    await claimDevice(sampleUser(102, 'Bob'), 0);
    expect(await landed()).toEqual(base.fields);
    expect(left()).toHaveLength(1);
    await claimDevice(ada, 0);
    expect(await landed()).toMatchObject({ title: 'Garda' });
  });

  it('stays where it is while the device has no room for it', async () => {
    noteLastWords({ draft: changed({ title: 'Garda' }, 20), base });
    vi.spyOn(db.Table.prototype, 'put').mockRejectedValueOnce(
      new DOMException('', 'QuotaExceededError'),
    );
    await expect(landLastWords(db)).rejects.toThrow();
    expect(await landed()).toMatchObject({ title: 'Garda' });
  });

  it('does no harm when it can no longer be read', async () => {
    localStorage.setItem(`${LAST_WORDS}${ada.id} ${base.id}`, '{"draft":{"owner":');
    localStorage.setItem(`${LAST_WORDS}${ada.id} other`, '{"draft":{"fields":7}}');
    expect(await landed()).toEqual(base.fields);
    expect(left()).toEqual([]);
  });

  it('goes with its person, and with no other', async () => {
    localStorage.setItem('theme', 'dark');
    noteLastWords({ draft: changed({ title: 'Garda' }, 20), base });
    noteLastWords({ draft: { ...base, owner: 'bob' }, base: null });
    await wipeDevice();
    expect(left()).toEqual(['theme', expect.stringContaining(`${LAST_WORDS}bob ${base.id}`)]);
  });

  it('goes with its person even where the database cannot be written', async () => {
    noteLastWords({ draft: changed({ title: 'Garda' }, 20), base });
    vi.spyOn(db, 'transaction').mockReturnValueOnce(Promise.reject(new Error('No.')) as never);
    await expect(wipeDevice('token')).rejects.toThrow('No.');
    expect(left()).toHaveLength(1);
    vi.spyOn(db, 'transaction').mockReturnValueOnce(Promise.reject(new Error('No.')) as never);
    await expect(wipeDevice()).rejects.toThrow('No.');
    expect(left()).toEqual([]);
  });
});
