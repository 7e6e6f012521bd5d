import { useEffect, useRef, useState } from 'react';
import type { DraftFields, DraftRow } from '../local/db.ts';
import { discardDraft, EMPTY_DRAFT, readDraft, rekeyDraft, saveDraft } from '../local/drafts.ts';
import { randomUuid } from '../local/uuid.ts';
import { createDraftSaver } from './draft-saver.ts';
import { pickFiles, sealing } from './sealing.ts';

export interface DraftHandle {
  draft: DraftRow;
  /** When the device last wrote it, in milliseconds; null before the first time. */
  savedAt: number | null;
  /** The device refused to keep it. */
  saveFailed: boolean;
  change: (fields: Partial<DraftFields>) => void;
  /** Writes at once what waits to be written. */
  flush: () => void;
  /** Throws the text away and starts an empty draft. */
  discard: () => void;
}

/** What the person writes on the create screen, restored and kept as they type. */
export function useDraft(owner: string | null): DraftHandle | null {
  const [draft, setDraft] = useState<DraftRow | null>(null);
  const [saved, setSaved] = useState<{ at: number | null; failed: boolean }>({
    at: null,
    failed: false,
  });
  const latest = useRef<DraftRow | null>(null);
  const [saver] = useState(() =>
    createDraftSaver({
      save: saveDraft,
      onSaved: ({ updatedAt }) => setSaved({ at: updatedAt, failed: false }),
      onFailed: () => setSaved((before) => ({ ...before, failed: true })),
    }),
  );

  useEffect(() => {
    if (owner === null) return;
    let isCurrent = true;
    const start = (found: DraftRow | null) => {
      if (!isCurrent) return;
      latest.current = found ?? emptyDraft(owner);
      // Files without a draft are those of one that was signed out of.
      if (!found && sealing.get().percent === null) pickFiles([]);
      setDraft(latest.current);
      setSaved({ at: found?.updatedAt ?? null, failed: false });
    };
    // A device that cannot keep drafts can still write one.
    readDraft(owner).then(start, () => start(null));
    return () => {
      isCurrent = false;
      setDraft(null);
    };
  }, [owner]);

  useEffect(() => {
    const hidden = () => {
      if (document.visibilityState === 'hidden') saver.flush();
    };
    window.addEventListener('pagehide', saver.flush);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      window.removeEventListener('pagehide', saver.flush);
      document.removeEventListener('visibilitychange', hidden);
      saver.flush();
    };
  }, [saver]);

  if (!draft) return null;
  return {
    draft,
    savedAt: saved.at,
    saveFailed: saved.failed,
    change: (fields) => {
      const before = latest.current ?? draft;
      const next = edited(before, fields);
      if (next.id !== before.id) void rekeyDraft(before, next.id);
      latest.current = next;
      setDraft(next);
      saver.schedule(next);
    },
    flush: saver.flush,
    discard: () => {
      saver.forget();
      void discardDraft(latest.current ?? draft);
      latest.current = emptyDraft(draft.owner);
      setDraft(latest.current);
      setSaved({ at: null, failed: false });
    },
  };
}

/** A key that was answered for good is not sent again with other words. */
function edited(draft: DraftRow, fields: Partial<DraftFields>): DraftRow {
  const isSpent = sealing.get().spentKey === draft.id;
  return {
    ...draft,
    id: isSpent ? randomUuid() : draft.id,
    fields: { ...draft.fields, ...fields },
    updatedAt: Date.now(),
  };
}

function emptyDraft(owner: string): DraftRow {
  return { owner, id: randomUuid(), fields: EMPTY_DRAFT, updatedAt: Date.now() };
}
