import { MEGABYTE } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { sumBytes } from '../db/capsules.ts';
import { sumUploads } from '../db/uploads.ts';
import type { Actor, Deps } from '../deps.ts';

/**
 * What a person has in capsules and in uploads under way may not pass the limit.
 * @param moreBytes what would come on top
 * @throws STORAGE_LIMIT_REACHED
 */
export async function checkStorageLimit(
  { config, db }: Pick<Deps, 'config'> & { db: Parameters<typeof sumBytes>[0] },
  actor: Actor,
  moreBytes: number,
): Promise<void> {
  const used = (await sumBytes(db, actor.userId)) + (await sumUploads(db, actor.userId));
  if (used + moreBytes <= config.storageLimitMB * MEGABYTE) return;
  throw new AppError('STORAGE_LIMIT_REACHED', {
    message: `Your storage is full: these files would go over your limit of ${config.storageLimitMB} MB. Please remove files, or delete a capsule you no longer need.`,
  });
}
