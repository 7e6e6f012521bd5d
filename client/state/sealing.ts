import type { Capsule } from '../../shared/api/capsules.ts';
import { CallError } from '../http/call-error.ts';
import { uploadCapsule } from '../http/upload.ts';
import { addCreated } from '../local/capsules.ts';
import type { DraftRow } from '../local/db.ts';
import { discardDraft } from '../local/drafts.ts';
import { ownTimeZone } from '../sync/refresh.ts';
import { authState, onAuthChange } from './auth.ts';
import { createExternalStore } from './external-store.ts';

interface SealingState {
  /** Whose files these are. */
  owner: string | null;
  /** Picked files live here, in memory, so that a look at the dashboard does not lose them. */
  files: readonly File[];
  /** Whole percent while a capsule is on its way; null while none is. */
  percent: number | null;
  /** What the banner says. */
  error: string | null;
  /** One sentence for each refused field. */
  fieldErrors: Record<string, string>;
  /** The key of an attempt that was refused for good; an edited draft needs another. */
  spentKey: string | null;
  /** The key of the last capsule that was created: its draft is done. */
  sealedKey: string | null;
}

const IDLE: SealingState = {
  owner: null,
  files: [],
  percent: null,
  error: null,
  fieldErrors: {},
  spentKey: null,
  sealedKey: null,
};

let sending: AbortController | null = null;

/** The capsule that is being made. It outlives the create page: leaving it stops no upload. */
export const sealing = createExternalStore<SealingState>(IDLE);

// Nothing is sent for somebody who is no longer signed in. Their files stay in memory for
// when they come back; another person's first look at the form lets go of them.
onAuthChange(() => {
  if (!authState().isLoggedIn) stopSealing();
});

const ALREADY_ARRIVED =
  'An earlier version of this capsule had arrived before the connection was lost. It is on your dashboard. Change anything here to make this a second capsule.';

/** Answers after which the same capsule may still be created, or has been: the key is kept. */
const UNDECIDED = new Set([0, 401, 403, 408, 409, 425, 429]);

/** Starts over for another person; what the last one picked is let go. */
export function startSealing(owner: string): void {
  if (sealing.get().owner !== owner) sealing.set({ ...IDLE, owner });
}

export function pickFiles(files: readonly File[]): void {
  sealing.set({ files });
  clearFieldErrors(['files']);
}

/** Stops the upload; the draft and its files stay. */
export function stopSealing(): void {
  sending?.abort();
}

/** What this device itself finds wrong, before anything is sent. */
export function refuseSealing(error: string, fieldErrors: Record<string, string>): void {
  sealing.set({ error, fieldErrors });
}

export function dismissSealingError(): void {
  sealing.set({ error: null });
}

/** The person is mending these fields. */
export function clearFieldErrors(fields: readonly string[]): void {
  const errors = Object.entries(sealing.get().fieldErrors);
  const kept = errors.filter(([field]) => !fields.includes(field));
  if (kept.length < errors.length) sealing.set({ fieldErrors: Object.fromEntries(kept) });
}

/**
 * Sends the draft with the picked files. On success the capsule is first in the
 * created list and the draft is gone; on failure everything stays, with the reason
 * in the store.
 * @returns the capsule, or null when it failed
 */
export async function seal(draft: DraftRow): Promise<Capsule | null> {
  const { files, percent } = sealing.get();
  if (percent !== null) return null;
  sending = new AbortController();
  sealing.set({ percent: 0, error: null, fieldErrors: {} });
  const { recipients, ...fields } = draft.fields;
  try {
    const capsule = await uploadCapsule({
      capsule: {
        ...fields,
        recipientEmails: recipients.map(({ email }) => email),
        timeZone: ownTimeZone(),
      },
      files,
      idempotencyKey: draft.id,
      onProgress: (sent) => sealing.set({ percent: sent }),
      signal: sending.signal,
    });
    await settle(draft, capsule);
    sealing.set({ ...IDLE, owner: draft.owner, sealedKey: draft.id });
    return capsule;
  } catch (error) {
    sealing.set({ percent: null, ...failureOf(error, draft.id) });
    return null;
  }
}

/** The capsule exists: what the device keeps follows, and may fail without undoing that. */
async function settle(draft: DraftRow, capsule: Capsule): Promise<void> {
  try {
    await addCreated(draft.owner, capsule, Date.now());
    await discardDraft(draft);
  } catch {
    // The dashboard asks the server anyway.
  }
}

function failureOf(error: unknown, key: string): Partial<SealingState> {
  if (!(error instanceof CallError)) return { error: 'This capsule could not be sent.' };
  if (error.code === 'IDEMPOTENCY_KEY_REUSED') return { error: ALREADY_ARRIVED, spentKey: key };
  const isFinal = !UNDECIDED.has(error.status) && error.status < 500;
  return {
    error: error.message,
    fieldErrors: error.errors,
    spentKey: isFinal ? key : null,
  };
}
