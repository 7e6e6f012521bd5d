import { abandonUpload } from '../../shared/api/uploads.ts';
import { call, identify } from '../api/client.ts';
import { isAnswerOf } from '../api/errors.ts';
import { db, openedUserId } from '../db/database.ts';
import { forgetOrphaned, readOrphaned } from '../db/orphaned-uploads.ts';
import { asCallError, backoff, decideRetry } from './retry-policy.ts';

/** A sign-out waits for this at most. */
const SIGN_OUT_MS = 3_000;

/** Runs in a row in which the server could not be told. */
let failedRuns = 0;

/**
 * Cancels on the server the uploads that nobody needs any more; what cannot be told now is told
 * later.
 * @returns when to try again, in milliseconds; null when there is no use in it by itself
 */
export async function cancelOrphanedUploads(signal?: AbortSignal): Promise<number | null> {
  try {
    await cancelUploads(await readOrphaned(), signal);
    failedRuns = 0;
    return null;
  } catch (error) {
    const decision = decideRetry(asCallError(error));
    // A 401 is told where it matters, by the sending; after the next sign-in this runs again.
    if (signal?.aborted || decision.kind !== 'retry') return null;
    failedRuns += 1;
    return Date.now() + backoff(failedRuns, decision, Math.random());
  }
}

/**
 * Before a sign-out deletes what waits here: nobody could tell the server afterwards, and the
 * uploads would count against this person's storage until they expire. Nothing is noted on the
 * device, so a person whose sign-out fails goes on with them.
 */
export async function cancelAllUploads(): Promise<void> {
  const announced = await db.attachments.filter((file) => file.announced).toArray();
  const rows = [...(await readOrphaned()), ...announced];
  await cancelUploads(rows, AbortSignal.timeout(SIGN_OUT_MS));
}

async function cancelUploads(
  rows: readonly { id: string }[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (rows.length === 0) return;
  const { user, xsrf } = await identify(signal);
  if (user.id !== openedUserId()) return;
  for (const { id } of rows) {
    try {
      await call(abandonUpload, { params: { id }, xsrf, signal });
    } catch (error) {
      // The server does not have it, or not any more.
      if (!isAnswerOf(error, 'UPLOAD_NOT_FOUND')) throw error;
    }
    await forgetOrphaned(id);
  }
}
