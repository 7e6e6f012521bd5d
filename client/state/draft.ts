import { useEffect, useRef, useState } from 'react';
import type { DraftFields, DraftRow, OutboxFailure } from '../local/db.ts';
import {
  EMPTY_DRAFT,
  mergeDrafts,
  readDraft,
  type SaveResult,
  saveDraft,
} from '../local/drafts.ts';
import { forgetLastWords, noteLastWords } from '../local/last-words.ts';
import { isNoRoom } from '../local/no-room.ts';
import { readFlag } from './auth.ts';
import { beforeReload } from './before-reload.ts';
import { deviceState } from './device-state.ts';
import { createDraftSaver } from './draft-saver.ts';
import { useExternalStore } from './external-store.ts';
import { useLocal } from './use-local.ts';

export interface DraftHandle {
  draft: DraftRow;
  /** When the device last wrote it, in milliseconds; null before the first time. */
  savedAt: number | null;
  /** Words have been typed that are not written yet. */
  isBehind: boolean;
  /** The device refuses to keep it, for want of room or otherwise; it is tried again. */
  refusal: 'full' | 'failed' | null;
  /** Another tab has written to it while it was open here. */
  isShared: boolean;
  change: (fields: Partial<DraftFields>) => void;
  /** What is still wrong of what it came back from the outbox for; null once it is read or mended. */
  leaveFailure: (rest: OutboxFailure | null) => void;
  /** Writes it now, changed or not: its files need a draft to belong to. @returns whether it is kept */
  keep: () => Promise<boolean>;
  /** The draft as it stands, for the outbox; nothing is written after this. */
  take: () => DraftRow;
}

export type DraftView =
  | { phase: 'loading' }
  /** This device keeps no such draft, or not any more: `vanished` while it stood here. */
  | { phase: 'gone'; vanished: boolean }
  | { phase: 'ready'; handle: DraftHandle };

interface Standing {
  /** As it was last read or written; null while the device has never had it. */
  base: DraftRow | null;
  latest: DraftRow;
  /** How often the device's database had been taken away when `base` was true. */
  losses: number;
  /** It is the outbox's, or being thrown away: what happens to the row is no news. */
  isTaken: boolean;
}

interface Shown {
  phase: 'loading' | 'gone' | 'ready';
  vanished: boolean;
  draft: DraftRow;
  savedAt: number | null;
  isBehind: boolean;
  refusal: 'full' | 'failed' | null;
  isShared: boolean;
}

/**
 * What the person writes on the create screen, restored and kept as they type, and followed
 * when another tab writes to it. One component instance for each draft: give it a key.
 * @param isNew whether a draft that the device does not know yet may begin here
 */
export function useDraft(owner: string, id: string, isNew: boolean): DraftView {
  const [mayBegin] = useState(isNew);
  const { losses } = useExternalStore(deviceState);
  const [shown, setShown] = useState<Shown>(() => ({
    phase: 'loading',
    vanished: false,
    draft: { owner, id, fields: EMPTY_DRAFT, updatedAt: Date.now() },
    savedAt: null,
    isBehind: false,
    refusal: null,
    isShared: false,
  }));
  const standing = useRef<Standing>({ base: null, latest: shown.draft, losses, isTaken: false });
  const show = (change: Partial<Shown>) =>
    setShown((before) => ({ ...before, ...change, draft: standing.current.latest }));

  const onSaved = (sent: DraftRow, result: SaveResult) => {
    forgetLastWords(sent);
    if (result.kind === 'closed') return;
    const now = standing.current;
    const isShared = result.others.length > 0;
    if (now.latest === sent) now.latest = result.draft;
    else if (isShared) now.latest = mergeDrafts(sent, now.latest, result.draft).draft;
    now.base = result.draft;
    now.losses = deviceState.get().losses;
    const savedAt = result.draft.updatedAt;
    const isBehind = now.latest.updatedAt > savedAt;
    show({ savedAt, refusal: null, isBehind, ...(isShared ? { isShared } : {}) });
  };
  const [saver] = useState(() =>
    createDraftSaver({
      save: (draft) => saveDraft(draft, standing.current.base),
      onSaved,
      onFailed: (error) => show({ refusal: isNoRoom(error) ? 'full' : 'failed' }),
    }),
  );

  // A device that cannot be read can still write one.
  const row = useLocal(() => readDraft(owner, id), [owner, id], null);
  useEffect(() => {
    const now = standing.current;
    if (row === undefined || now.isTaken) return;
    if (shown.phase === 'loading') {
      if (row) Object.assign(now, { base: row, latest: row });
      show({ phase: row || mayBegin ? 'ready' : 'gone', savedAt: row?.updatedAt ?? null });
    } else if (row) {
      // A row of this tab that comes late is older than what it has written since.
      const isNews = row.updatedAt > Math.max(now.base?.updatedAt ?? 0, now.latest.updatedAt);
      if (!isNews || saver.isBehind()) return;
      Object.assign(now, { base: row, latest: row });
      show({ savedAt: row.updatedAt, isShared: true });
    } else if (now.base && now.losses === deviceState.get().losses && !saver.isBehind()) {
      void readDraft(owner, id).then((found) => {
        if (found || now.isTaken || saver.isBehind()) return;
        show({ phase: 'gone', vanished: true });
      });
    }
  });

  const refused = useRef(false);
  useEffect(() => {
    refused.current = shown.refusal !== null;
  }, [shown.refusal]);

  // The database was taken away under this page: what stands here is all there is.
  useEffect(() => {
    const now = standing.current;
    if (losses === now.losses || !now.base || now.isTaken) return;
    saver.schedule(now.latest);
    void saver.flush();
  }, [losses, saver]);

  useEffect(() => {
    const hidden = () => {
      if (document.visibilityState === 'hidden') void saver.flush();
    };
    const note = () => {
      const { isTaken, latest: draft, base } = standing.current;
      // Whoever has signed out, in another tab perhaps, leaves nothing behind.
      if (!isTaken && saver.isBehind() && readFlag()) noteLastWords({ draft, base });
    };
    const gone = () => {
      note();
      // The page may come back as it was.
      void saver.flush();
    };
    const leaving = (event: BeforeUnloadEvent) => {
      const { isTaken, latest } = standing.current;
      if (isTaken || isEmpty(latest)) return;
      // Most of the time the flush is enough. The browser asks only when it cannot be.
      const isLost = deviceState.get().trouble !== null || (refused.current && saver.isBehind());
      if (isLost) event.preventDefault();
    };
    window.addEventListener('pagehide', gone);
    window.addEventListener('beforeunload', leaving);
    document.addEventListener('visibilitychange', hidden);
    const forget = beforeReload(async () => void (await saver.flush()));
    const stop = () => {
      window.removeEventListener('pagehide', gone);
      window.removeEventListener('beforeunload', leaving);
      document.removeEventListener('visibilitychange', hidden);
      forget();
    };
    // Whoever goes to another page of the app may leave it, or have it reload, at once.
    return () =>
      void saver.flush().then((isKept) => {
        if (!isKept) note();
        stop();
      });
  }, [saver]);
  if (shown.phase === 'loading') return { phase: 'loading' };
  if (shown.phase === 'gone') return { phase: 'gone', vanished: shown.vanished };
  const put = (change: Partial<DraftRow>) => {
    const now = standing.current;
    now.isTaken = false;
    const updatedAt = Math.max(Date.now(), now.latest.updatedAt + 1);
    now.latest = { ...now.latest, ...change, updatedAt };
    show({ isBehind: true });
    saver.schedule(now.latest);
  };
  const { savedAt, isBehind, refusal, isShared } = shown;
  const handle: DraftHandle = {
    draft: shown.draft,
    savedAt,
    isBehind,
    refusal,
    isShared,
    change: (fields) => put({ fields: { ...standing.current.latest.fields, ...fields } }),
    leaveFailure: (failure) => {
      if (!standing.current.latest.failure) return;
      const { failure: _, ...draft } = standing.current.latest;
      standing.current.latest = draft;
      put(failure ? { failure } : {});
    },
    keep: () => {
      put({});
      return saver.flush();
    },
    take: () => {
      saver.forget();
      forgetLastWords(standing.current.latest);
      standing.current.isTaken = true;
      return standing.current.latest;
    },
  };
  return { phase: 'ready', handle };
}

function isEmpty({ fields }: DraftRow): boolean {
  return JSON.stringify(fields) === JSON.stringify(EMPTY_DRAFT);
}
