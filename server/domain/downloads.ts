import { AppError } from '../app-error.ts';
import { type FileRow, findFile, findVisibleCapsule } from '../db/capsules.ts';
import type { Actor, Deps } from '../deps.ts';
import { isOpen } from './capsule-view.ts';
import { isUuid } from './is-uuid.ts';

/**
 * A file that this person may have now.
 * @throws FILE_NOT_FOUND for all others alike: not there, not theirs, still locked.
 */
export async function findDownload(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  fileId: string,
): Promise<FileRow> {
  const file = isUuid(fileId) ? await findFile(db, fileId) : undefined;
  const capsule = file && (await findVisibleCapsule(db, actor.userId, file.capsuleId));
  if (!file || !capsule || !isOpen(capsule, clock.now())) throw new AppError('FILE_NOT_FOUND');
  return file;
}
