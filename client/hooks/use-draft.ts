import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import type { OtherVersion } from '../../shared/api/drafts.ts';
import { CONTRIBUTORS } from '../db/contributions.ts';
import { isNoRoom, openedUserId } from '../db/database.ts';
import { removeSnapshot, writeSnapshot } from '../db/draft-snapshots.ts';
import { type DraftPatch, readDraft, readSuccessor, saveDraft, withPatch } from '../db/drafts.ts';
import { takeVersion } from '../db/merge-draft.ts';
import { type DraftFields, type DraftRow, EMPTY_DRAFT, type OutboxFailure } from '../db/tables.ts';
import { saveSoon } from '../sync/send-now.ts';
import { deviceState } from './device-state.ts';
import { createDraftSaver } from './draft-saver.ts';
import { beforeReload } from './reload.ts';
import { createExternalStore, useExternalStore } from './store.ts';
import { readFlag } from './use-session.ts';

export interface DraftState {
  /**
   * `gone`: this device has no such draft. `vanished`: it was sealed or discarded in another tab
   * while it was open here.
   */
  phase: 'loading' | 'open' | 'gone' | 'vanished';
  draft: DraftRow;
  /** When the draft was last saved, in milliseconds; null before the first time. */
  savedAt: number | null;
  /** Something typed is not saved yet. */
  isBehind: boolean;
  /** Why the device could not save the draft: it is full, or failed otherwise. Saving is tried again. */
  refusal: 'full' | 'failed' | null;
  /** Where else it was written while it was open here, last. */
  alsoWritten: 'tab' | 'device' | null;
  /** Of a draft that has vanished: the id under which it goes on; null when it does not. */
  goesOnAs: string | null;
}

export interface DraftHandle extends DraftState {
  change: (fields: Partial<DraftFields>) => void;
  /**
   * Fills in fields that are still empty. A draft that is not stored yet is not stored by it:
   * whoever only looks leaves no draft behind.
   */
  suggest: (fields: Partial<DraftFields>) => void;
  /** Puts what another device had written in place of what stands here, which becomes another version. */
  takeVersion: (version: OtherVersion) => void;
  letVersionGo: (version: OtherVersion) => void;
  /** Changes why the draft came back from the outbox; null once the reason is dismissed or mended. */
  leaveFailure: (rest: OutboxFailure | null) => void;
  /** Saves the draft now, changed or not: files need a stored draft. @returns whether it is saved */
  keep: () => Promise<boolean>;
  /** Whether the last save failed for want of room. */
  isFull: () => boolean;
  /** The draft for the outbox, or to be discarded; nothing is written after this. */
  take: () => DraftRow;
}

/**
 * A draft that is open in the form: restored, saved with every change, and followed when another
 * tab writes to it. One component instance for each draft: give it a key.
 * @param isNew whether a draft that the device does not know may begin here
 * @param begin what it begins with
 */
export function useDraft(id: string, isNew: boolean, begin: Beginning = {}): DraftHandle {
  const [form] = useState(() => createDraftForm(id, isNew, begin));
  const state = useExternalStore(form.store);
  const { losses } = useExternalStore(deviceState);
  const row = useLiveQuery(() => readDraft(id), [id, losses]);
  useEffect(() => form.open(), [form]);
  useEffect(() => {
    if (row !== undefined) form.onRow(row);
  }, [form, row]);
  return { ...state, ...form.actions };
}

/** What a draft that begins here has besides what is typed. */
type Beginning = Pick<DraftRow, 'adding' | 'onlyHere'>;

function createDraftForm(id: string, isNew: boolean, beginning: Beginning) {
  const store = createExternalStore<DraftState>({
    phase: 'loading',
    draft: { ...beginning, id, fields: EMPTY_DRAFT, updatedAt: Date.now() },
    savedAt: null,
    isBehind: false,
    refusal: null,
    alsoWritten: null,
    goesOnAs: null,
  });
  /** The draft belongs to the outbox or is being discarded: changes of its row are not followed any more. */
  let isTaken = false;

  const saver = createDraftSaver(
    write,
    (error) => store.set({ refusal: isNoRoom(error) ? 'full' : 'failed' }),
    () => store.set({ isBehind: false }),
  );

  async function write(patch: DraftPatch): Promise<void> {
    const row = await saveDraft(store.get().draft, patch);
    if (isTaken) return;
    removeSnapshot(id);
    if (row?.id === id) adopt(row);
    saveSoon();
  }

  /** Takes over a row as it was just written or read; what is not written yet stays as typed. */
  function adopt(row: DraftRow): void {
    const { draft, alsoWritten } = store.get();
    const adopted = withPatch(row, saver.pending() ?? {});
    const isSame = JSON.stringify(adopted.fields) === JSON.stringify(draft.fields);
    const isFromDevice = row.elsewhere?.revision !== draft.elsewhere?.revision;
    store.set({
      draft: adopted,
      savedAt: row.updatedAt,
      refusal: null,
      alsoWritten: isSame ? alsoWritten : isFromDevice ? 'device' : 'tab',
    });
  }

  function onRow(row: DraftRow | null): void {
    if (isTaken) return;
    const { phase, savedAt } = store.get();
    if (phase === 'loading') begin(row);
    // A row that this tab has written may be read late, when newer words are written already.
    else if (row && row.updatedAt > (savedAt ?? 0)) adopt(row);
    // The account has taken what was written here.
    else if (row?.account && row.updatedAt === savedAt) {
      store.set({ draft: { ...store.get().draft, account: row.account } });
    } else if (!row && savedAt !== null) void confirmVanished();
  }

  async function confirmVanished(): Promise<void> {
    // A draft that cannot be read has not vanished.
    const successor = await readSuccessor(id).catch(() => null);
    const row = await readDraft(id).catch(() => undefined);
    if (row !== null || isTaken || saver.pending()) return;
    store.set({ phase: 'vanished', goesOnAs: successor?.id ?? null });
  }

  function begin(row: DraftRow | null): void {
    if (row) store.set({ phase: 'open', draft: row, savedAt: row.updatedAt });
    else store.set({ phase: isNew ? 'open' : 'gone' });
  }

  /** @param isLost the device has lost the draft: all of it is saved again */
  function change(patch: DraftPatch, isLost = false): void {
    const { draft: before, savedAt } = store.get();
    const draft = { ...withPatch(before, patch), updatedAt: Date.now() };
    store.set({ draft, isBehind: true });
    const names = Object.keys(patch.fields ?? {});
    const base = Object.fromEntries(names.map((name) => [name, Object(before.fields)[name]]));
    const seen = before.elsewhere?.revision ?? 0;
    // A draft that was taken and comes back has dropped its unsaved changes, and suggestions are not
    // saved before the first change: save all fields.
    const isWhole = isTaken || isLost || savedAt === null;
    const known = { base: before.account?.content.fields as Partial<DraftFields>, seen };
    saver.save(isWhole ? { ...patch, fields: draft.fields, ...known } : { ...patch, base, seen });
    isTaken = false;
  }

  function suggest(fields: Partial<DraftFields>): void {
    const { draft, savedAt, isBehind } = store.get();
    const isFree = (name: string) => !Object(draft.fields)[name]?.length;
    const free = Object.fromEntries(Object.entries(fields).filter(([name]) => isFree(name)));
    if (isTaken || Object.keys(free).length === 0) return;
    if (savedAt !== null || isBehind) change({ fields: free });
    else store.set({ draft: withPatch(draft, { fields: free }) });
  }

  function leaveSnapshot(): void {
    const pending = saver.pending();
    // After a sign-out in another tab nothing is left behind.
    const userId = openedUserId();
    if (isTaken || !pending?.fields || userId === null) return;
    if (!readFlag() && userId !== CONTRIBUTORS) return;
    const { savedAt, draft } = store.get();
    const takenAt = Math.max(Date.now(), (savedAt ?? 0) + 1);
    const { fields, base, seen } = pending;
    const { adding } = draft;
    writeSnapshot(id, { userId, fields, base, seen, isNew: savedAt === null, takenAt, adding });
  }

  /** The browser asks before changes that cannot be saved are lost. */
  function onBeforeUnload(event: BeforeUnloadEvent): void {
    const { draft, refusal } = store.get();
    if (isTaken || JSON.stringify(draft.fields) === JSON.stringify(EMPTY_DRAFT)) return;
    if (refusal !== null && saver.pending()) event.preventDefault();
  }

  return {
    store,
    onRow,
    open: () => {
      let { losses } = deviceState.get();
      const stopWatching = deviceState.subscribe(() => {
        if (deviceState.get().losses === losses) return;
        ({ losses } = deviceState.get());
        // The browser has deleted the database: the form has the only copy.
        const { savedAt, draft } = store.get();
        if (savedAt !== null && !isTaken) change({ fields: draft.fields }, true);
      });
      window.addEventListener('pagehide', leaveSnapshot);
      window.addEventListener('beforeunload', onBeforeUnload);
      const forget = beforeReload(async () => void (await saver.flush()));
      return () => {
        stopWatching();
        // The page may be closed or reloaded before the last write ends.
        void saver.flush().then(() => {
          leaveSnapshot();
          window.removeEventListener('pagehide', leaveSnapshot);
          window.removeEventListener('beforeunload', onBeforeUnload);
          forget();
        });
      };
    },
    actions: {
      change: (fields: Partial<DraftFields>) => change({ fields }),
      suggest,
      takeVersion: (version: OtherVersion) => {
        const before = { fields: store.get().draft.fields, otherVersions: [] };
        const { otherVersions: replaced } = takeVersion(before, version, new Date());
        change({ fields: version.fields as Partial<DraftFields>, letGo: [version], replaced });
      },
      letVersionGo: (version: OtherVersion) => change({ fields: {}, letGo: [version] }),
      leaveFailure: (failure: OutboxFailure | null) => {
        if (store.get().draft.failure) change({ fields: {}, failure });
      },
      keep: () => {
        change({ fields: {} });
        return saver.flush();
      },
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
