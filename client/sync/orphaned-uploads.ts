import { abandonUpload } from '../../shared/api/uploads.ts';
import { call, identify } from '../api/client.ts';
import { isAnswerOf } from '../api/errors.ts';
import { forgetOrphaned, readOrphaned } from '../db/attachments.ts';
import { db, openedUserId } from '../db/database.ts';
import { asCallError, backoff, decideRetry } from './retry-policy.ts';

/** A sign-out waits for this at most. */
const SIGN_OUT_MS = 3_000;

/** Runs in a row in which the server could not be reached. */
let failedRuns = 0;

/**
 * Cancels on the server the uploads that nobody needs any more. What the server can't be told now
 * waits for a later run.
 * @returns when to try again, in milliseconds; null when nothing is left, or only a sign-in helps
 */
export async function cancelOrphanedUploads(signal?: AbortSignal): Promise<number | null> {
  try {
    await cancelUploads(await readOrphaned(), signal);
    failedRuns = 0;
    return null;
  } catch (error) {
    const decision = decideRetry(asCallError(error));
    // The drain reports a 401; the next run follows the next sign-in.
    if (signal?.aborted || decision.kind !== 'retry') return null;
    failedRuns += 1;
    return Date.now() + backoff(failedRuns, decision, Math.random());
  }
}

/**
 * Cancels all uploads before a sign-out deletes their rows. Without their ids the server could not
 * be told, and the uploads would count against this person's storage until they expire. Files stay
 * on the device, so that a person whose sign-out fails can go on.
 */
export async function cancelAllUploads(): Promise<void> {
  const announced = await db.attachments.filter((file) => file.announced).toArray();
  // Files of drafts of the account are found there on the next device.
  const kept = [...(await db.drafts.toArray()), ...(await db.outbox.toArray())]
    .filter(({ account }) => account)
    .flatMap(({ files }) => files);
  const dropped = announced.filter(({ id }) => !kept.includes(id));
  const rows = [...(await readOrphaned()), ...dropped];
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
