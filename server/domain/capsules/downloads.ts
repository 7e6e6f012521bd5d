import { FILE_LOST } from '../../../shared/sentences.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { type FileRow, findFile, findVisibleCapsule } from '../../db/capsules/capsules.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { isOpen } from './capsule-view.ts';

/**
 * A file this person may download now. Its row is read to find its capsule, its bytes only by the
 * caller. @throws FILE_NOT_FOUND for files that do not exist, are not theirs or are still locked;
 * FILE_DAMAGED for those that are lost
 */
export async function findDownload(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  fileId: string,
): Promise<FileRow> {
  const file = isUuid(fileId) ? await findFile(db, fileId) : undefined;
  const capsule = file && (await findVisibleCapsule(db, actor.userId, file.capsuleId));
  if (!file || !capsule || !isOpen(capsule, clock.now())) throw new AppError('FILE_NOT_FOUND');
  if (file.lostAt) throw new AppError('FILE_DAMAGED', { message: FILE_LOST });
  return file;
}
