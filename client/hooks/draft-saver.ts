import type { DraftPatch } from '../db/drafts.ts';

/** A full device may have room again at any time. */
export const RETRY_AFTER_MS = 3_000;

export interface DraftSaver {
  /** Writes this at once, or with everything else that waits as soon as the running write ends. */
  save: (patch: DraftPatch) => void;
  /** Resolves when nothing is left to write, with whether all of it is written. */
  flush: () => Promise<boolean>;
  /** What is not written yet; null when everything is. */
  pending: () => DraftPatch | null;
  /** Lets go of what is not written: the draft is sealed or discarded. */
  drop: () => void;
}

/**
 * One write at a time; later changes wait and go together. A failed write is tried again.
 * @param onIdle nothing is left to write, also after a failure that has passed
 */
export function createDraftSaver(
  write: (patch: DraftPatch) => Promise<void>,
  onFailed: (error: unknown) => void,
  onIdle: () => void,
): DraftSaver {
  let inFlight: DraftPatch | null = null;
  let waiting: DraftPatch | null = null;
  let running = Promise.resolve(true);
  let retry: ReturnType<typeof setTimeout> | undefined;

  const run = async (): Promise<boolean> => {
    clearTimeout(retry);
    while (waiting) {
      const patch: DraftPatch = waiting;
      inFlight = patch;
      waiting = null;
      try {
        await write(patch);
        if (inFlight === patch) inFlight = null;
      } catch (error) {
        if (inFlight !== patch) return true;
        inFlight = null;
        waiting = merge(patch, waiting);
        retry = setTimeout(flush, RETRY_AFTER_MS);
        onFailed(error);
        return false;
      }
    }
    onIdle();
    return true;
  };
  const flush = () => {
    if (!inFlight) running = run();
    return running;
  };
  return {
    flush,
    save: (patch) => {
      waiting = merge(waiting, patch);
      void flush();
    },
    pending: () => merge(inFlight, waiting),
    drop: () => {
      clearTimeout(retry);
      inFlight = null;
      waiting = null;
    },
  };
}

function merge<Older extends DraftPatch | null>(older: Older, newer: DraftPatch): DraftPatch;
function merge(older: DraftPatch | null, newer: DraftPatch | null): DraftPatch | null;
function merge(older: DraftPatch | null, newer: DraftPatch | null): DraftPatch | null {
  if (!older || !newer) return older ?? newer;
  const { base, letGo, replaced } = newer;
  return {
    ...older,
    ...newer,
    // What the person saw when they began.
    ...(older.seen !== undefined && { seen: older.seen }),
    fields: { ...older.fields, ...newer.fields },
    ...((base || older.base) && { base: { ...base, ...older.base } }),
    ...((letGo || older.letGo) && { letGo: [...(older.letGo ?? []), ...(letGo ?? [])] }),
    ...((replaced || older.replaced) && {
      replaced: [...(older.replaced ?? []), ...(replaced ?? [])],
    }),
  };
}
