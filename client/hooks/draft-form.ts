import { isNoRoom, openedUserId } from '../db/database.ts';
import { removeSnapshot, writeSnapshot } from '../db/draft-snapshots.ts';
import { readDraft, readSuccessor, saveDraft } from '../db/drafts.ts';
import { noteDraftSync } from '../db/due.ts';
import { mergeFields } from '../db/merge-draft.ts';
import {
  CONTRIBUTORS,
  type DraftFields,
  type DraftRow,
  EMPTY_DRAFT,
  type OutboxFailure,
} from '../db/tables.ts';
import { askNow, saveSoon } from '../sync/send-now.ts';
import { keepCaret } from './caret.ts';
import { deviceState } from './device-state.ts';
import { createDraftSaver } from './draft-saver.ts';
import { holdDraft } from './one-writer.ts';
import { beforeReload } from './reload.ts';
import { createExternalStore } from './store.ts';
import { readFlag } from './use-session.ts';

export interface DraftState {
  /**
   * `gone`: this device has no such draft. `vanished`: it was sealed or discarded in another tab or
   * on another device while it was open here.
   */
  phase: 'loading' | 'open' | 'gone' | 'vanished';
  draft: DraftRow;
  /** When the draft was last saved, in milliseconds; null before the first time. */
  savedAt: number | null;
  /** Something typed is not saved yet. */
  isBehind: boolean;
  /** Why the device could not save the draft: it is full, or failed otherwise. Saving is tried again. */
  refusal: 'full' | 'failed' | null;
  /** Another tab writes in it: here its words can only be read. */
  isElsewhere: boolean;
  /** Of a draft that has vanished: the id under which it goes on; null when it does not. */
  goesOnAs: string | null;
}

/** What a draft that begins here has besides what is typed. */
export type Beginning = Pick<DraftRow, 'adding' | 'onlyHere'>;

/** Somebody who goes from field to field looks at the same words. */
const ASK_AGAIN_MS = 4_000;

/** The form of one draft, between what is typed and its row. */
export function createDraftForm(id: string, isNew: boolean, beginning: Beginning) {
  const store = createExternalStore<DraftState>({
    phase: 'loading',
    draft: { ...beginning, id, fields: EMPTY_DRAFT, files: [], updatedAt: Date.now() },
    savedAt: null,
    isBehind: false,
    refusal: null,
    isElsewhere: false,
    goesOnAs: null,
  });
  /** The draft belongs to the outbox or is being discarded: changes of its row are not followed any more. */
  let isTaken = false;
  /** What its row has, as far as this form has read or written it. */
  let known = EMPTY_DRAFT;
  /** What is on its way into the row. */
  let written: DraftFields | null = null;
  let failure: OutboxFailure | null | undefined;
  let writer: ReturnType<typeof holdDraft> | null = null;
  /** Words that are being composed would break apart. */
  let isComposing = false;
  /** The row as it was read during one of these. */
  let later: DraftRow | null | undefined;
  /** What was written last went to another id, or nowhere: it was sealed meanwhile. */
  let isMoved = false;

  const saver = createDraftSaver(
    write,
    (error) => store.set({ refusal: isNoRoom(error) ? 'full' : 'failed' }),
    () => {
      store.set({ isBehind: false });
      if (isMoved) void confirmVanished();
    },
  );

  async function write(): Promise<void> {
    const { draft } = store.get();
    const [fields, reason] = [draft.fields, failure];
    written = fields;
    try {
      const row = await saveDraft(draft, { ...changed(), failure: reason });
      if (isTaken) return;
      if (failure === reason) failure = undefined;
      removeSnapshot(id);
      isMoved = row?.id !== id;
      if (row?.id === id) adopt(row, fields);
      else if (row) known = fields;
    } finally {
      written = null;
    }
    goOn();
    saveSoon();
  }

  /** Follows the row again. */
  function goOn(): void {
    const row = later;
    later = undefined;
    if (row !== undefined) onRow(row);
  }

  /** What stands in the form and not in the row, and what stands there instead. */
  function changed(): { fields: Partial<DraftFields>; base: Partial<DraftFields> } {
    const { fields } = store.get().draft;
    const isChanged = ([name, value]: [string, unknown]) =>
      JSON.stringify(value) !== JSON.stringify(Object(known)[name]);
    const entries = Object.entries(fields).filter(isChanged);
    const base = entries.map(([name]) => [name, Object(known)[name]]);
    return { fields: Object.fromEntries(entries), base: Object.fromEntries(base) };
  }

  /**
   * Takes over a row as it was just written or read; what is not written yet stays as typed.
   * @param base what of the form is in that row
   */
  function adopt(row: DraftRow, base: DraftFields): void {
    const { draft } = store.get();
    const there = { ...EMPTY_DRAFT, ...row.fields };
    if (isComposing && JSON.stringify(there) !== JSON.stringify(base)) {
      known = base;
      later = row;
      return;
    }
    const merged = mergeFields(base, draft.fields, there);
    keepCaret(draft.fields, merged);
    known = there;
    store.set({
      draft: { ...row, fields: merged.fields },
      savedAt: row.updatedAt,
      refusal: null,
    });
  }

  function onRow(row: DraftRow | null): void {
    if (isTaken) return;
    const { phase, savedAt } = store.get();
    if (phase === 'loading') begin(row);
    else if (written) later = row;
    // A row that this tab has written may be read late, when newer words are written already.
    else if (row && row.updatedAt > (savedAt ?? 0)) adopt(row, known);
    // The account has taken what was written here.
    else if (row?.account && row.updatedAt === savedAt) {
      store.set({ draft: { ...store.get().draft, account: row.account } });
    } else if (!row && savedAt !== null) void confirmVanished();
  }

  async function confirmVanished(): Promise<void> {
    // A draft that cannot be read has not vanished.
    const successor = await readSuccessor(id).catch(() => null);
    const row = await readDraft(id).catch(() => undefined);
    if (row !== null || isTaken || saver.isBehind()) return;
    store.set({ phase: 'vanished', goesOnAs: successor?.id ?? null });
  }

  function begin(row: DraftRow | null): void {
    known = { ...EMPTY_DRAFT, ...row?.fields };
    if (!row) store.set({ phase: isNew ? 'open' : 'gone' });
    else store.set({ phase: 'open', draft: { ...row, fields: known }, savedAt: row.updatedAt });
  }

  function change(fields: Partial<DraftFields>): void {
    const { draft } = store.get();
    store.set({
      draft: { ...draft, fields: { ...draft.fields, ...fields }, updatedAt: Date.now() },
      isBehind: true,
    });
    isTaken = false;
    saver.save();
  }

  function suggest(fields: Partial<DraftFields>): void {
    const { draft, savedAt, isBehind } = store.get();
    const isFree = (name: string) => !Object(draft.fields)[name]?.length;
    const free = Object.fromEntries(Object.entries(fields).filter(([name]) => isFree(name)));
    if (isTaken || Object.keys(free).length === 0) return;
    if (savedAt !== null || isBehind) change(free);
    else store.set({ draft: { ...draft, fields: { ...draft.fields, ...free } } });
  }

  function leaveSnapshot(): void {
    const { savedAt, draft } = store.get();
    const { fields, base } = changed();
    // After a sign-out in another tab nothing is left behind.
    const userId = openedUserId();
    if (isTaken || userId === null || Object.keys(fields).length === 0) return;
    if (!readFlag() && userId !== CONTRIBUTORS) return;
    const isFirst = savedAt === null;
    if (isFirst && !saver.isBehind()) return;
    const takenAt = Math.max(Date.now(), (savedAt ?? 0) + 1);
    const rest = { takenAt, adding: draft.adding, written: written ?? undefined };
    writeSnapshot(id, { userId, fields, base, isNew: isFirst, ...rest });
  }

  /** The browser asks before changes that cannot be saved are lost. */
  function onBeforeUnload(event: BeforeUnloadEvent): void {
    const { draft, refusal } = store.get();
    if (isTaken || JSON.stringify(draft.fields) === JSON.stringify(EMPTY_DRAFT)) return;
    if (refusal !== null && saver.isBehind()) event.preventDefault();
  }

  return {
    store,
    onRow,
    open: () => {
      const held = holdDraft(id, (mayWrite) => store.set({ isElsewhere: !mayWrite }));
      writer = held;
      let { losses } = deviceState.get();
      const stopWatching = deviceState.subscribe(() => {
        if (deviceState.get().losses === losses) return;
        ({ losses } = deviceState.get());
        // The browser has deleted the database: the form has the only copy.
        if (store.get().savedAt !== null && !isTaken) change({});
      });
      window.addEventListener('pagehide', leaveSnapshot);
      window.addEventListener('beforeunload', onBeforeUnload);
      const onComposition = ({ type }: Event) => {
        isComposing = type === 'compositionstart';
        // Firefox hands the word over only after this.
        if (!isComposing) setTimeout(() => isComposing || goOn());
      };
      // Another device may have written since somebody has last looked at this text.
      let askedAt = -Infinity;
      const onFocus = ({ target }: Event) => {
        const { account, adding } = store.get().draft;
        const isText = !(target instanceof Element) || target.matches('input, textarea');
        if (!isText || !account || adding || Date.now() - askedAt < ASK_AGAIN_MS) return;
        askedAt = Date.now();
        void noteDraftSync({ asksAnew: true }).then(askNow, reportError);
      };
      window.addEventListener('focus', onFocus);
      document.addEventListener('focusin', onFocus);
      document.addEventListener('compositionstart', onComposition);
      document.addEventListener('compositionend', onComposition);
      const forget = beforeReload(async () => {
        // For the next page, where the device is full or too slow.
        leaveSnapshot();
        await saver.flush();
      });
      return () => {
        stopWatching();
        window.removeEventListener('focus', onFocus);
        document.removeEventListener('focusin', onFocus);
        document.removeEventListener('compositionstart', onComposition);
        document.removeEventListener('compositionend', onComposition);
        // The page may be closed or reloaded before the last write ends.
        void saver.flush().then(() => {
          leaveSnapshot();
          // There is nowhere left to write.
          if (openedUserId() === null) saver.drop();
          window.removeEventListener('pagehide', leaveSnapshot);
          window.removeEventListener('beforeunload', onBeforeUnload);
          forget();
          held.release();
        });
      };
    },
    actions: {
      change,
      suggest,
      leaveFailure: (rest: OutboxFailure | null) => {
        const { failure: before, ...draft } = store.get().draft;
        if (!before) return;
        failure = rest;
        store.set({ draft: { ...draft, ...(rest && { failure: rest }) } });
        change({});
      },
      keep: () => {
        change({});
        return saver.flush();
      },
      goOnHere: () => writer?.take(),
      isFull: () => store.get().refusal === 'full',
      take: () => {
        isTaken = true;
        saver.drop();
        removeSnapshot(id);
        return store.get().draft;
      },
    },
  };
}
