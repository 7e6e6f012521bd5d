import { MEGABYTE } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { sumBytes } from '../db/capsules.ts';
import { sumUploads } from '../db/uploads.ts';
import type { Actor, Deps } from '../deps.ts';
import type { Hold, Receiving } from './receiving.ts';

type StorageDeps = Pick<Deps, 'config'> & { db: Parameters<typeof sumBytes>[0] };

/**
 * What a person has in capsules and in uploads under way may not pass the limit.
 * @param moreBytes what would come on top
 * @throws STORAGE_LIMIT_REACHED
 */
export async function checkStorageLimit(
  deps: StorageDeps,
  actor: Actor,
  moreBytes: number,
): Promise<void> {
  // What takes nothing more finds room, also where the limit was lowered below what there is.
  if (moreBytes > 0 && moreBytes > (await freeBytes(deps, actor))) throw storageFull(deps);
}

/**
 * The same for a body that is about to be received, together with all that this person is sending.
 * @param expected what its headers announce
 * @throws STORAGE_LIMIT_REACHED, later too, as bytes come
 */
export async function holdStorage(
  deps: StorageDeps & { receiving: Receiving },
  actor: Actor,
  expected: number,
): Promise<Hold> {
  const free = await freeBytes(deps, actor);
  return deps.receiving.hold(actor.userId, { expected, free, refuse: () => storageFull(deps) });
}

async function freeBytes({ config, db }: StorageDeps, { userId }: Actor): Promise<number> {
  const used = (await sumBytes(db, userId)) + (await sumUploads(db, userId));
  return config.storageLimitMB * MEGABYTE - used;
}

function storageFull({ config }: StorageDeps): AppError {
  return new AppError('STORAGE_LIMIT_REACHED', {
    message: `Your storage is full: these files would go over your limit of ${config.storageLimitMB} MB. Please remove files, or delete a capsule you no longer need.`,
  });
}
