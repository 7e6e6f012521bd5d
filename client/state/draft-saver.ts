import type { DraftRow } from '../local/db.ts';
import type { SaveResult } from '../local/drafts.ts';

/** Long enough not to write on every key, short enough to lose nothing worth a sigh. */
export const SAVE_AFTER_MS = 400;

/** A full device may have room again at any time. */
export const TRY_AGAIN_AFTER_MS = 3_000;

export interface DraftSaver {
  /** Saves this draft soon; a later one takes its place. */
  schedule: (draft: DraftRow) => void;
  /** Saves at once what is still waiting; resolves with whether that is written. Newer words may wait by then. */
  flush: () => Promise<boolean>;
  /** Lets go of what is waiting: its draft is no more. */
  forget: () => void;
  /** Something is not written yet. */
  isBehind: () => boolean;
}

interface SaverDeps {
  save: (draft: DraftRow) => Promise<SaveResult>;
  /** @param sent what was to be saved; the result may hold more */
  onSaved: (sent: DraftRow, result: SaveResult) => void;
  onFailed: (error: unknown) => void;
}

/** Writes one at a time, the latest words only, and goes on trying while the device refuses. */
export function createDraftSaver({ save, onSaved, onFailed }: SaverDeps): DraftSaver {
  let waiting: DraftRow | null = null;
  let writing: { done: Promise<boolean>; isWanted: boolean } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), delay);
  };
  const write = async (draft: DraftRow) => {
    const job = { done: Promise.resolve(true), isWanted: true };
    const run = async () => {
      try {
        const result = await save(draft);
        if (job.isWanted) onSaved(draft, result);
        return true;
      } catch (error) {
        if (!job.isWanted) return true;
        // Newer words may be waiting by now; they hold these.
        waiting ??= draft;
        later(TRY_AGAIN_AFTER_MS);
        onFailed(error);
        return false;
      }
    };
    writing = job;
    job.done = run().finally(() => {
      if (writing === job) writing = null;
    });
    return job.done;
  };
  // Begins in this very turn when nothing is being written: the page may be gone in the next.
  const flush = async () => {
    while (writing) await writing.done;
    const draft = waiting;
    clearTimeout(timer);
    waiting = null;
    return draft === null || write(draft);
  };
  const schedule = (draft: DraftRow) => {
    waiting = draft;
    later(SAVE_AFTER_MS);
  };
  const forget = () => {
    clearTimeout(timer);
    waiting = null;
    if (writing) writing.isWanted = false;
  };
  return { schedule, flush, forget, isBehind: () => waiting !== null || writing !== null };
}
