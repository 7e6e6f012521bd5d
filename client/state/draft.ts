import { useEffect, useRef, useState } from 'react';
import type { DraftFields, DraftRow } from '../local/db.ts';
import { discardDraft, EMPTY_DRAFT, readDraft, saveDraft } from '../local/drafts.ts';
import { beforeReload } from './before-reload.ts';
import { createDraftSaver } from './draft-saver.ts';

export interface DraftHandle {
  draft: DraftRow;
  /** When the device last wrote it, in milliseconds; null before the first time. */
  savedAt: number | null;
  /** The device refused to keep it. */
  saveFailed: boolean;
  change: (fields: Partial<DraftFields>) => void;
  /** What it came back from the outbox for is read. */
  forgetFailure: () => void;
  /** Writes it now, changed or not: its files need a draft to belong to. */
  keep: () => Promise<void>;
  /** The draft as it stands, for the outbox; nothing is written after this. */
  take: () => DraftRow;
  /** Throws text and files away. */
  discard: () => Promise<void>;
}

export type DraftView =
  | { phase: 'loading' }
  /** This device keeps no such draft (any more). */
  | { phase: 'gone' }
  | { phase: 'ready'; handle: DraftHandle };

/**
 * What the person writes on the create screen, restored and kept as they type. One component
 * instance for each draft: give it a key.
 * @param isNew whether a draft that the device does not know yet may begin here
 */
export function useDraft(owner: string, id: string, isNew: boolean): DraftView {
  const [mayBegin] = useState(isNew);
  const [draft, setDraft] = useState<DraftRow | 'loading' | 'gone'>('loading');
  const [saved, setSaved] = useState<{ at: number | null; failed: boolean }>({
    at: null,
    failed: false,
  });
  const latest = useRef<DraftRow>(emptyDraft(owner, id));
  const [saver] = useState(() =>
    createDraftSaver({
      save: saveDraft,
      onSaved: ({ updatedAt }) => setSaved({ at: updatedAt, failed: false }),
      onFailed: () => setSaved((before) => ({ ...before, failed: true })),
    }),
  );

  useEffect(() => {
    let isCurrent = true;
    const start = (found: DraftRow | null) => {
      if (!isCurrent) return;
      if (found) latest.current = found;
      setDraft(found ?? (mayBegin ? latest.current : 'gone'));
      setSaved({ at: found?.updatedAt ?? null, failed: false });
    };
    // A device that cannot keep drafts can still write one.
    readDraft(owner, id).then(start, () => start(null));
    return () => {
      isCurrent = false;
    };
  }, [owner, id, mayBegin]);

  useEffect(() => {
    const flush = () => void saver.flush();
    const hidden = () => {
      if (document.visibilityState === 'hidden') flush();
    };
    window.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', hidden);
    const forget = beforeReload(saver.flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', hidden);
      forget();
      flush();
    };
  }, [saver]);

  if (draft === 'loading' || draft === 'gone') return { phase: draft };
  const put = (change: Partial<DraftRow>) => {
    latest.current = { ...latest.current, ...change, updatedAt: Date.now() };
    setDraft(latest.current);
    saver.schedule(latest.current);
  };
  const handle: DraftHandle = {
    draft,
    savedAt: saved.at,
    saveFailed: saved.failed,
    change: (fields) => put({ fields: { ...latest.current.fields, ...fields } }),
    forgetFailure: () => {
      if (!latest.current.failure) return;
      const { failure: _, ...rest } = latest.current;
      latest.current = rest;
      put({});
    },
    keep: () => {
      put({});
      return saver.flush();
    },
    take: () => {
      saver.forget();
      return latest.current;
    },
    discard: async () => {
      saver.forget();
      await discardDraft({ owner, id });
    },
  };
  return { phase: 'ready', handle };
}

function emptyDraft(owner: string, id: string): DraftRow {
  return { owner, id, fields: EMPTY_DRAFT, updatedAt: Date.now() };
}
