import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DraftRow } from '../local/db.ts';
import { EMPTY_DRAFT } from '../local/drafts.ts';
import { createDraftSaver, SAVE_AFTER_MS, TRY_AGAIN_AFTER_MS } from './draft-saver.ts';

function draft(title: string): DraftRow {
  return { owner: 'ada', id: 'key', fields: { ...EMPTY_DRAFT, title }, updatedAt: 0 };
}

function setUp(save: (draft: DraftRow) => Promise<void> = async () => undefined) {
  const saved: string[] = [];
  const onSaved = vi.fn();
  const onFailed = vi.fn();
  const saver = createDraftSaver({
    save: async (row) => {
      saved.push(row.fields.title);
      await save(row);
      return { kind: 'saved', draft: row, others: [] };
    },
    onSaved,
    onFailed,
  });
  return { saver, saved, onSaved, onFailed };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('draft saver', () => {
  it('writes once the person pauses, and only the last words', async () => {
    const { saver, saved, onSaved } = setUp();
    saver.schedule(draft('L'));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS - 1);
    saver.schedule(draft('Lake'));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS - 1);
    expect(saved).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(saved).toEqual(['Lake']);
    expect(onSaved).toHaveBeenCalledTimes(1);
  });

  it('writes at once when the page goes, and not again later', async () => {
    const { saver, saved } = setUp();
    saver.schedule(draft('Lake'));
    saver.flush();
    saver.flush();
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    expect(saved).toEqual(['Lake']);
  });

  it('writes nothing of a draft that is done', async () => {
    const { saver, saved } = setUp();
    saver.schedule(draft('Lake'));
    saver.forget();
    saver.flush();
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    expect(saved).toEqual([]);
  });

  it('says when the device cannot keep it', async () => {
    const full = new Error('QuotaExceededError');
    const { saver, onFailed } = setUp(() => Promise.reject(full));
    saver.schedule(draft('Lake'));
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    expect(onFailed).toHaveBeenCalledWith(full);
    expect(saver.isBehind()).toBe(true);
  });

  it('goes on trying with the last words until there is room', async () => {
    let isFull = true;
    const { saver, saved, onSaved } = setUp(async () => {
      if (isFull) throw new Error('QuotaExceededError');
    });
    saver.schedule(draft('Lake'));
    expect(await saver.flush()).toBe(false);
    saver.schedule(draft('Lake Garda'));
    expect(await saver.flush()).toBe(false);
    expect(onSaved).not.toHaveBeenCalled();
    isFull = false;
    await vi.advanceTimersByTimeAsync(TRY_AGAIN_AFTER_MS);
    expect(saved.at(-1)).toBe('Lake Garda');
    expect(onSaved).toHaveBeenCalledTimes(1);
    expect(saver.isBehind()).toBe(false);
  });

  it('tries no more for a draft that is done', async () => {
    const { saver, saved } = setUp(() => Promise.reject(new Error('QuotaExceededError')));
    saver.schedule(draft('Lake'));
    await saver.flush();
    saver.forget();
    await vi.advanceTimersByTimeAsync(2 * TRY_AGAIN_AFTER_MS);
    expect(saved).toEqual(['Lake']);
  });

  it('has written what it was asked to, whatever is typed meanwhile', async () => {
    const { saver, saved } = setUp(async (row) => {
      if (row.fields.title === 'L') saver.schedule(draft('Lake'));
    });
    saver.schedule(draft('L'));
    expect(await saver.flush()).toBe(true);
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    expect(saved).toEqual(['L', 'Lake']);
  });

  it('writes one at a time: what came meanwhile follows', async () => {
    let finish = () => {};
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { saver, saved } = setUp((row) => (row.fields.title === 'L' ? first : Promise.resolve()));
    saver.schedule(draft('L'));
    const writing = saver.flush();
    saver.schedule(draft('Lake'));
    const following = saver.flush();
    expect(saved).toEqual(['L']);
    finish();
    await Promise.all([writing, following]);
    expect(saved).toEqual(['L', 'Lake']);
  });
});
