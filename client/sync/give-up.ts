import { abandonUpload } from '../../shared/api/uploads.ts';
import { CallError } from '../http/call-error.ts';
import { identify } from '../http/identify.ts';
import { send } from '../http/send.ts';
import { forgetAbandoned, readAbandoned } from '../local/abandoned.ts';
import type { AbandonedRow } from '../local/db.ts';
import { readAllFiles } from '../local/kept-files.ts';
import { asCallError, backoff, outcomeOf } from './outcome.ts';

/** Runs in which the server could not be told, since it last could. */
let vainRuns = 0;

/**
 * Tells the server which uploads nobody wants any more; what cannot be told now is told later.
 * @returns when to try again, in milliseconds; null when there is no use in it by itself
 */
export async function giveUpAbandoned(owner: string, signal?: AbortSignal): Promise<number | null> {
  try {
    await giveUp(owner, await readAbandoned(owner), signal);
    vainRuns = 0;
    return null;
  } catch (error) {
    const outcome = outcomeOf(asCallError(error));
    // After the next sign-in it runs again; sending says what is wrong where it matters.
    if (signal?.aborted || outcome.kind !== 'retry') return null;
    vainRuns += 1;
    return Date.now() + backoff(vainRuns, outcome, Math.random());
  }
}

async function giveUp(
  owner: string,
  rows: readonly AbandonedRow[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (rows.length === 0) return;
  const { user, xsrf } = await identify(signal);
  if (user.id !== owner) return;
  for (const row of rows) {
    await send(abandonUpload, { params: { id: row.id }, xsrf, signal }).catch(passUnknown);
    await forgetAbandoned(row);
  }
}

/** One that the server does not have, or no longer, is given up. */
function passUnknown(error: unknown): void {
  if (!(error instanceof CallError) || error.code !== 'UPLOAD_NOT_FOUND') throw error;
}

/** Whoever signs out waits for this at most. */
const GIVE_UP_MS = 3_000;

/**
 * Before a sign-out, which deletes what waits here: nobody could tell the server any more, and
 * the uploads would count against this person's storage until they expire. Nothing is noted: who
 * could not be signed out goes on with them.
 */
export async function giveUpAll(owner: string): Promise<void> {
  const heard = (await readAllFiles(owner)).filter(({ announced }) => announced);
  const rows = [...(await readAbandoned(owner)), ...heard];
  await giveUp(owner, rows, AbortSignal.timeout(GIVE_UP_MS));
}
