import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { STORAGE_KEY_LOGGED_IN } from '../../shared/limits.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { closeDatabase, db, openDatabase } from '../db/database.ts';
import { readNews } from '../db/draft-sync.ts';
import { readDraft, saveDraft } from '../db/drafts.ts';
import { DraftChangedError } from '../db/outbox.ts';
import { NEVER_SENT, SEALED_ELSEWHERE } from '../db/receive-draft.ts';
import { type DraftRow, EMPTY_DRAFT } from '../db/tables.ts';
import { activate } from '../sync/scheduler.ts';
import { createDraftForm } from './draft-form.ts';
import { readyToReload } from './reload.ts';
import { queueDraft } from './use-outbox.ts';

const [ID, NEXT] = [sampleId(1), sampleId(2)];

const row = (title: string, rest: Partial<DraftRow> = {}): DraftRow => ({
  ...{ id: ID, fields: { ...EMPTY_DRAFT, title }, files: [], updatedAt: 10 },
  ...rest,
});

/** A stored draft that is open in a form. */
async function opened(title: string) {
  await db.drafts.put(row(title));
  const form = createDraftForm(ID, false);
  form.onRow(row(title));
  return form;
}

const titleOf = async (id: string) => (await readDraft(id))?.fields.title;

beforeEach(async () => {
  const values = new Map<string, string>();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('HTMLTextAreaElement', class {});
  vi.stubGlobal('HTMLInputElement', class {});
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  });
  await openDatabase(sampleId(101));
  await Promise.all(db.tables.map((table) => table.clear()));
});

afterEach(() => {
  vi.useRealTimers();
});

class Control {
  readonly matches: (names: string) => boolean;

  constructor(name: string) {
    this.matches = (names) => names.split(', ').includes(name);
  }
}

it('who comes to a text asks what is new, once in a few seconds, and never interrupts', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('Element', Control);
  vi.stubGlobal('reportError', vi.fn());
  const [ask, run] = [vi.fn(), vi.fn()];
  const scheduler = { run, ask, runSoon: vi.fn(), saveNow: vi.fn(), pause: vi.fn() };
  const deactivate = activate(scheduler);
  const form = createDraftForm(ID, false);
  form.onRow(row('Dear', { account: { ...NEVER_SENT, revision: 1 } }));
  const close = form.open();
  ask.mockClear();
  const focus = (name: string) => {
    const event = new Event('focusin');
    Object.defineProperty(event, 'target', { value: new Control(name) });
    document.dispatchEvent(event);
  };
  focus('a');
  focus('textarea');
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(1));
  focus('input');
  vi.setSystemTime(Date.now() + 5_000);
  focus('button');
  focus('input');
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
  expect(run).not.toHaveBeenCalled();
  close();
  deactivate();
});

describe('a draft that goes on under another id while somebody types', () => {
  async function openedAndGone() {
    const form = await opened('Dear');
    await db.drafts.delete(ID);
    await db.drafts.put(row('Dear', { id: NEXT, updatedAt: 11 }));
    const gone = { id: ID, news: 'sealed' as const, fields: { title: 'Dear' }, goneAt: 11 };
    await db.goneDrafts.put({ ...gone, goesOnAs: NEXT });
    return form;
  }

  it('is not sealed once more by the form that does not know it yet', async () => {
    const form = await openedAndGone();
    const { fields } = form.store.get().row;
    await expect(queueDraft(form.actions, fields, [])).rejects.toThrow(DraftChangedError);
    expect([await titleOf(NEXT), await db.outbox.count()]).toEqual(['Dear', 0]);
  });

  it('is told of, where what is left of it does not say so itself', async () => {
    await openedAndGone();
    expect(await readNews()).toMatchObject([{ goesOnAs: NEXT, saysSo: false }]);
    await db.drafts.update(NEXT, { news: SEALED_ELSEWHERE });
    expect(await readNews()).toMatchObject([{ goesOnAs: NEXT, saysSo: true }]);
  });

  it('is found by the address of before', async () => {
    await openedAndGone();
    const form = createDraftForm(ID, false);
    form.onRow(await readDraft(ID));
    await expect.poll(() => form.store.get()).toMatchObject({ goesOnAs: { id: NEXT } });
  });

  it('has each word once, and the form is left for it', async () => {
    const form = await openedAndGone();
    for (const title of ['Dear Mia', 'Dear Mia,', 'Dear Mia, hello']) {
      form.actions.change({ title });
      await form.actions.keep();
    }
    expect(await titleOf(NEXT)).toBe('Dear Mia, hello');
    await expect.poll(() => form.store.get()).toMatchObject({ phase: 'vanished' });
    const { goesOnAs } = form.store.get();
    // There is no moment without a form, and a later one reads it anew.
    expect(createDraftForm(NEXT, false, goesOnAs).store.get()).toMatchObject({
      ...{ phase: 'open', row: { id: NEXT, fields: { title: 'Dear Mia, hello' } } },
    });
    expect(createDraftForm(NEXT, false).store.get().phase).toBe('loading');
  });
});

it('a word that was composed is taken before what another device has written meanwhile', async () => {
  const form = await opened('Dear');
  const close = form.open();
  document.dispatchEvent(new Event('compositionstart'));
  form.actions.change({ description: 'Dear Mi' });
  await form.actions.keep();
  const { fields } = row('Dear');
  const theirs = row('Dear', {
    fields: { ...fields, description: 'Hello, Dear Mi' },
    updatedAt: Date.now() + 1_000,
  });
  await db.drafts.put(theirs);
  form.onRow(theirs);
  // Firefox says that it is composed before it hands over the word.
  document.dispatchEvent(new Event('compositionend'));
  expect(form.store.get().row.fields.description).toBe('Dear Mi');
  form.actions.change({ description: 'Dear Mia' });
  await expect.poll(() => form.store.get().row.fields.description).toBe('Hello, Dear Mia');
  close();
});

it('sealed while a save is under way, it has the last key and what the account has by then', async () => {
  const form = await opened('Dear');
  form.actions.change({ title: 'Dear Mi' });
  const answered = db.drafts.update(ID, { account: { ...NEVER_SENT, revision: 1 } });
  form.actions.change({ title: 'Dear Mia' });
  const { fields } = form.store.get().row;
  const item = await queueDraft(form.actions, fields, []);
  await answered;
  expect(item).toMatchObject({ fields: { title: 'Dear Mia' }, account: { revision: 1 } });
});

it('sealed as another device has just changed it, it stays in the form, with both words', async () => {
  const form = await opened('Dear');
  form.actions.change({ title: 'Dear Mia' });
  const { fields } = form.store.get().row;
  await saveDraft(row('Dear'), { fields: { description: 'Hello' } });
  await expect(queueDraft(form.actions, fields, [])).rejects.toThrow(DraftChangedError);
  form.actions.change({});
  const both = { title: 'Dear Mia', description: 'Hello' };
  await expect.poll(() => form.store.get().row.fields).toMatchObject(both);
  expect(await queueDraft(form.actions, form.store.get().row.fields, [])).toMatchObject({
    fields: both,
  });
});

describe('what is typed when a newer version takes the database', () => {
  beforeEach(() => localStorage.setItem(STORAGE_KEY_LOGGED_IN, 'true'));
  const snapshot = () => localStorage.getItem(`draft:${ID}`);

  it('waits beside it for the newer version, and is not written any more', async () => {
    const form = await opened('Dear');
    const close = form.open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(db.drafts, 'put').mockRejectedValue(new DOMException('', 'QuotaExceededError'));
    form.actions.change({ title: 'Dear Mia' });
    await readyToReload();
    closeDatabase();
    close();
    expect(JSON.parse(snapshot() ?? '')).toMatchObject({ fields: { title: 'Dear Mia' } });
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  it('stands in the draft alone where it could be saved', async () => {
    const form = await opened('Dear');
    const close = form.open();
    form.actions.change({ title: 'Dear Mia' });
    await readyToReload();
    close();
    expect([await titleOf(ID), snapshot()]).toEqual(['Dear Mia', null]);
  });
});
