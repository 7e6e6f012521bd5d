import { abandonUpload } from '../../shared/api/uploads.ts';
import { call, identify } from '../api/client.ts';
import { isAnswerOf } from '../api/errors.ts';
import { forgetOrphaned, readOrphaned, sweepFiles } from '../db/attachments.ts';
import { db, openedUserId } from '../db/database.ts';
import { refusalOf } from './retry-policy.ts';

/** A sign-out waits for this at most. */
const SIGN_OUT_MS = 3_000;

/**
 * Cancels all uploads before a sign-out deletes their rows. Without their ids the server could not
 * be told, and the uploads would count against this person's storage until they expire. Files stay
 * on the device, so that a person whose sign-out fails can go on.
 */
export async function cancelAllUploads(): Promise<void> {
  // What an account's draft that was discarded had is the account's.
  await sweepFiles();
  const announced = await db.attachments.filter((file) => file.announced).toArray();
  // Files of drafts of the account are found there on the next device.
  const kept = [...(await db.drafts.toArray()), ...(await db.outbox.toArray())]
    .filter(({ account }) => account)
    .flatMap(({ files }) => files);
  const dropped = announced.filter(({ id }) => !kept.includes(id));
  const rows = [...(await readOrphaned()), ...dropped];
  if (rows.length === 0) return;
  const signal = AbortSignal.timeout(SIGN_OUT_MS);
  const { user, xsrf } = await identify(signal);
  if (user.id === openedUserId()) await cancelUploads(rows, xsrf, signal);
}

/** Cancels on the server uploads that nobody needs any more. @throws {CallError} what may pass */
export async function cancelUploads(
  rows: readonly { id: string }[],
  xsrf: string,
  signal: AbortSignal,
): Promise<void> {
  for (const { id } of rows) {
    try {
      await call(abandonUpload, { params: { id }, xsrf, signal });
    } catch (error) {
      // The server does not have it any more, or lets it expire.
      const isOver = isAnswerOf(error, 'UPLOAD_NOT_FOUND') || refusalOf(error) !== null;
      if (!isOver) throw error;
    }
    await forgetOrphaned(id);
  }
}
