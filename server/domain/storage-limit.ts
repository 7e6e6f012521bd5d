import { DAY_MS, MEGABYTE } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { sumBytes } from '../db/capsules.ts';
import { deleteAbandonedUploads, sumUploads } from '../db/uploads.ts';
import type { Actor, Deps } from '../deps.ts';
import type { Hold, Receiving } from './receiving.ts';
import { releaseFiles } from './stored-files.ts';

type GivingDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'files' | 'log'>;
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
 * @param announced bytes of the whole body, 0 when it does not say; `expected` of its files at least
 * @throws STORAGE_LIMIT_REACHED, later too, as bytes come
 */
export async function holdStorage(
  deps: GivingDeps & { receiving: Receiving },
  actor: Actor,
  { announced, expected }: { announced: number; expected: number },
): Promise<Hold> {
  let free = await freeBytes(deps, actor);
  if (announced > free && (await giveWay(deps, actor))) free = await freeBytes(deps, actor);
  return deps.receiving.hold(actor.userId, { expected, free, refuse: () => storageFull(deps) });
}

/** Runs `take`, once more where room could be made for it. @throws what `take` throws */
export async function withRoom<Result>(
  deps: GivingDeps,
  actor: Actor,
  take: () => Promise<Result>,
): Promise<Result> {
  try {
    return await take();
  } catch (error) {
    const isFull = error instanceof AppError && error.code === 'STORAGE_LIMIT_REACHED';
    if (!isFull || !(await giveWay(deps, actor))) throw error;
    return take();
  }
}

/**
 * Uploads that this person has not continued for a day give way to what has no room: the device they
 * came from may be lost, and no screen shows them. One that is continued after all begins again.
 * @returns whether there were any
 */
async function giveWay(deps: GivingDeps, { userId }: Actor): Promise<boolean> {
  const yesterday = new Date(deps.clock.now().getTime() - DAY_MS);
  const keys = await deleteAbandonedUploads(deps.db, yesterday, userId);
  await releaseFiles(deps, keys);
  return keys.length > 0;
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
