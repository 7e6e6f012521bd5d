import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect } from 'react';
import { isNoRoom, openedUserId } from '../db/database.ts';
import type { Patch } from '../db/merge-draft.ts';
import type { MergedText } from '../db/merge-text.ts';
import { removeSnapshot, writeSnapshot } from '../db/snapshots.ts';
import { saveSoon } from '../sync/scheduler.ts';
import { keepCaret } from './caret.ts';
import { holdRow } from './one-writer.ts';
import { beforeReload } from './reload.ts';
import { createRowSaver } from './row-saver.ts';
import { createExternalStore, type ExternalStore, useExternalStore } from './store.ts';

interface RowState<Row> {
  /**
   * `gone`: this device has no such row, or not yet. `vanished`: it was sealed or discarded in another tab or
   * on another device while it was open here.
   */
  phase: 'loading' | 'open' | 'gone' | 'vanished';
  row: Row;
  /** When the row was last saved, in milliseconds; null before the first time. */
  savedAt: number | null;
  /** Something typed is not saved yet. */
  isBehind: boolean;
  /** Why the device could not save it: it is full, or failed otherwise. Saving is tried again. */
  refusal: 'full' | 'failed' | null;
  /** Another tab writes in it: here its words can only be read. */
  isInOtherTab: boolean;
  /** Of a row that has vanished: the one as which it goes on; null when it does not. */
  goesOnAs: Row | null;
}

interface Typed<Fields> {
  id: string;
  fields: Fields;
  updatedAt: number;
}

interface RowKind<Fields, Row> {
  /** As it is before anything is typed. */
  begun: Row;
  /** Whether one that the device does not know may begin here. */
  isNew: boolean;
  merge: (
    base: Fields,
    mine: Fields,
    theirs: Fields,
  ) => { fields: Fields; texts: Record<string, MergedText> };
  /** @returns the row as it is now; one of another id where it goes on there; null where it has gone */
  save: (row: Row, patch: Patch<Fields>) => Promise<Row | null>;
  /** Once its row is missing. @returns null while it has not gone */
  whenGone?: () => Promise<Pick<RowState<Row>, 'goesOnAs'> | null>;
  /** Whether this person's last keys may be left for the next page. */
  mayLeave: (userId: string) => boolean;
}

/**
 * What somebody types into a row, between the fields and the row: saved in the same task as the key, one
 * write at a time, by one tab, with what others have written in it meanwhile.
 */
export function createRowForm<Fields extends object, Row extends Typed<Fields>>(
  kind: RowKind<Fields, Row>,
) {
  const { id, fields: empty } = kind.begun;
  const store = createExternalStore<RowState<Row>>({
    phase: 'loading',
    row: kind.begun,
    savedAt: null,
    isBehind: false,
    refusal: null,
    isInOtherTab: false,
    goesOnAs: null,
  });
  /** It belongs to the outbox or is being discarded: changes of its row are not followed any more. */
  let isTaken = false;
  /** What its row has, as far as this form has read or written it. */
  let known = empty;
  /** What is on its way into the row. */
  let written: Fields | null = null;
  let writer: ReturnType<typeof holdRow> | null = null;
  /** Words that are being composed would break apart. */
  let isComposing = false;
  /** The row as it was read during one of these. */
  let later: Row | null | undefined;
  /** What was written last went to another id, or nowhere. */
  let isMoved = false;

  const saver = createRowSaver(
    write,
    (error) => store.set({ refusal: isNoRoom(error) ? 'full' : 'failed' }),
    () => {
      store.set({ isBehind: false });
      if (isMoved) void confirmVanished();
    },
  );

  async function write(): Promise<void> {
    const { row: mine } = store.get();
    const { fields } = mine;
    written = fields;
    try {
      const row = await kind.save(mine, changed());
      if (isTaken) return;
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
  function changed() {
    const { fields } = store.get().row;
    const isChanged = ([name, value]: [string, unknown]) =>
      JSON.stringify(value) !== JSON.stringify(Object(known)[name]);
    const entries = Object.entries(fields).filter(isChanged);
    const base = entries.map(([name]) => [name, Object(known)[name]]);
    const patch = { fields: Object.fromEntries(entries), base: Object.fromEntries(base) };
    return patch as { fields: Partial<Fields>; base: Partial<Fields> };
  }

  /**
   * Takes over a row as it was just written or read; what is not written yet stays as typed.
   * @param base what of the form is in that row
   */
  function adopt(row: Row, base: Fields): void {
    const { fields } = store.get().row;
    const there = { ...empty, ...row.fields };
    if (isComposing && JSON.stringify(there) !== JSON.stringify(base)) {
      known = base;
      later = row;
      return;
    }
    const merged = kind.merge(base, fields, there);
    keepCaret(fields, merged.texts);
    known = there;
    store.set({ row: { ...row, fields: merged.fields }, savedAt: row.updatedAt, refusal: null });
  }

  function onRow(row: Row | null): void {
    if (isTaken) return;
    const { phase, savedAt } = store.get();
    if (phase === 'loading' || (phase === 'gone' && row)) begin(row);
    else if (written) later = row;
    // A row that this tab has written may be read late, when newer words are written already.
    else if (row && row.updatedAt > (savedAt ?? 0)) adopt(row, known);
    // What was written here is on its way, or has arrived.
    else if (row && row.updatedAt === savedAt) {
      const { fields, updatedAt } = store.get().row;
      store.set({ row: { ...row, fields, updatedAt } });
    } else if (!row && savedAt !== null) void confirmVanished();
  }

  async function confirmVanished(): Promise<void> {
    // What cannot be read has not vanished.
    const gone = await kind.whenGone?.().catch(() => null);
    if (gone && !isTaken && !saver.isBehind()) store.set({ phase: 'vanished', ...gone });
  }

  /** It may have gone on under another id before this page was opened. */
  async function findSuccessor(): Promise<void> {
    const gone = await kind.whenGone?.().catch(() => null);
    const isStill = store.get().phase === 'gone';
    if (gone?.goesOnAs && isStill) store.set({ phase: 'vanished', ...gone });
  }

  function begin(row: Row | null): void {
    known = { ...empty, ...row?.fields };
    if (!row) {
      store.set({ phase: kind.isNew ? 'open' : 'gone' });
      if (!kind.isNew) void findSuccessor();
    } else store.set({ phase: 'open', row: { ...row, fields: known }, savedAt: row.updatedAt });
  }

  function change(fields: Partial<Fields>): void {
    const { row } = store.get();
    const updatedAt = Date.now();
    store.set({ row: { ...row, fields: { ...row.fields, ...fields }, updatedAt }, isBehind: true });
    isTaken = false;
    saver.save();
  }

  function leaveSnapshot(): void {
    const { savedAt, row } = store.get();
    const { fields, base } = changed();
    // After a sign-out in another tab nothing is left behind.
    const userId = openedUserId();
    if (isTaken || userId === null || Object.keys(fields).length === 0) return;
    if (!kind.mayLeave(userId)) return;
    const isNew = savedAt === null;
    if (isNew && !saver.isBehind()) return;
    const takenAt = Math.max(Date.now(), (savedAt ?? 0) + 1);
    const { fields: _, ...begun } = row;
    const rest = { takenAt, written: written ?? undefined, ...(isNew && { begun }) };
    writeSnapshot(id, { userId, fields, base, isNew, ...rest });
  }

  /** The browser asks before changes that cannot be saved are lost. */
  function onBeforeUnload(event: BeforeUnloadEvent): void {
    const { row, refusal } = store.get();
    if (isTaken || JSON.stringify(row.fields) === JSON.stringify(empty)) return;
    if (refusal !== null && saver.isBehind()) event.preventDefault();
  }

  return {
    store,
    onRow,
    isTaken: () => isTaken,
    /** Called while the form is on the page. @returns how to close it */
    open: () => {
      const held = holdRow(id, (mayWrite) => store.set({ isInOtherTab: !mayWrite }));
      writer = held;
      window.addEventListener('pagehide', leaveSnapshot);
      window.addEventListener('beforeunload', onBeforeUnload);
      const onComposition = ({ type }: Event) => {
        isComposing = type === 'compositionstart';
        // Firefox hands the word over only after this.
        if (!isComposing) setTimeout(() => isComposing || goOn());
      };
      document.addEventListener('compositionstart', onComposition);
      document.addEventListener('compositionend', onComposition);
      const forget = beforeReload(async () => {
        // For the next page, where the device is full or too slow.
        leaveSnapshot();
        await saver.flush();
      });
      return () => {
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
      /** Saves it now, changed or not: files need a stored row. @returns whether it is saved */
      keep: () => {
        change({});
        return saver.flush();
      },
      /** From now on this tab writes in it, and no other. */
      goOnHere: () => writer?.take(),
      /** Whether the last save failed for want of room. */
      isFull: () => store.get().refusal === 'full',
      /** It is for the outbox, or to be discarded: nothing is written after this. */
      take: () => {
        isTaken = true;
        saver.drop();
        removeSnapshot(id);
        return store.get().row;
      },
    },
  };
}

/** A form and its row: restored, saved with every change, and followed when others write in it. */
export function useRowForm<Row>(
  form: {
    store: ExternalStore<RowState<Row>>;
    onRow: (row: Row | null) => void;
    open: () => () => void;
  },
  read: () => Promise<Row | null>,
): RowState<Row> {
  const row = useLiveQuery(read, [form]);
  useEffect(() => form.open(), [form]);
  useEffect(() => {
    if (row !== undefined) form.onRow(row);
  }, [form, row]);
  return useExternalStore(form.store);
}
