import type { DraftRow } from '../local/db.ts';

/** Long enough not to write on every key, short enough to lose nothing worth a sigh. */
export const SAVE_AFTER_MS = 400;

export interface DraftSaver {
  /** Saves this draft soon; a later one takes its place. */
  schedule: (draft: DraftRow) => void;
  /** Saves at once what is still waiting; resolves when it is written or has failed. */
  flush: () => Promise<void>;
  /** Lets go of what is waiting: its draft is no more. */
  forget: () => void;
}

interface SaverDeps {
  save: (draft: DraftRow) => Promise<void>;
  onSaved: (draft: DraftRow) => void;
  onFailed: (error: unknown) => void;
}

export function createDraftSaver({ save, onSaved, onFailed }: SaverDeps): DraftSaver {
  let waiting: DraftRow | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const forget = () => {
    clearTimeout(timer);
    waiting = null;
  };
  const flush = async () => {
    const draft = waiting;
    forget();
    if (draft) await save(draft).then(() => onSaved(draft), onFailed);
  };
  const schedule = (draft: DraftRow) => {
    waiting = draft;
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), SAVE_AFTER_MS);
  };
  return { schedule, flush, forget };
}
