import { DAY_MS, MEGABYTE } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { deleteAbandonedUploads } from '../../db/storage/uploads.ts';
import { findUsedBytes } from '../../db/storage/used-bytes.ts';
import type { Deps } from '../../deps.ts';
import type { Reservation, Reservations } from './reservations.ts';
import { releaseFiles } from './stored-files.ts';

type GivingDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'files' | 'log'>;
type StorageDeps = Pick<Deps, 'config'> & { db: Parameters<typeof findUsedBytes>[0] };

/**
 * Checks that a person's capsules and uploads stay within the limit. @param moreBytes the bytes
 * to add @throws STORAGE_LIMIT_REACHED
 */
export async function checkStorageLimit(
  deps: StorageDeps,
  actor: Actor,
  moreBytes: number,
): Promise<void> {
  assertRoom(deps, await findUsedBytes(deps.db, actor.userId), moreBytes);
}

/** @throws STORAGE_LIMIT_REACHED if `moreBytes` do not fit beside `usedBytes` */
export function assertRoom(deps: Pick<Deps, 'config'>, usedBytes: number, moreBytes: number): void {
  if (usedBytes + moreBytes > limitBytes(deps)) throw storageFull(deps);
}

/**
 * Reserves storage for a body that is about to be received, beside the other bodies of this
 * person. @param announced Content-Length of the body, or 0; `expected` is the least its files
 * take @throws STORAGE_LIMIT_REACHED, also later while bytes arrive
 */
export async function reserveStorage(
  deps: GivingDeps & { reservations: Reservations },
  actor: Actor,
  { announced, expected }: { announced: number; expected: number },
): Promise<Reservation> {
  let free = await freeBytes(deps, actor);
  if (announced > free && (await giveWay(deps, actor))) free = await freeBytes(deps, actor);
  return deps.reservations.reserve(actor.userId, {
    expected,
    free,
    refuse: () => storageFull(deps),
  });
}

/** Runs `take`, and repeats it if space could be freed. @throws what `take` throws */
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
 * Deletes uploads that this person has not continued for a day, to make space: their device may
 * be lost, and no screen shows them. A continued one starts again. @returns whether there were any
 */
async function giveWay(deps: GivingDeps, { userId }: Actor): Promise<boolean> {
  const yesterday = new Date(deps.clock.now().getTime() - DAY_MS);
  const keys = await deleteAbandonedUploads(deps.db, yesterday, userId);
  await releaseFiles(deps, keys);
  return keys.length > 0;
}

async function freeBytes(deps: StorageDeps, { userId }: Actor): Promise<number> {
  return limitBytes(deps) - (await findUsedBytes(deps.db, userId));
}

function limitBytes({ config }: Pick<Deps, 'config'>): number {
  return config.storageLimitMB * MEGABYTE;
}

function storageFull({ config }: Pick<Deps, 'config'>): AppError {
  return new AppError('STORAGE_LIMIT_REACHED', {
    message: `Your storage is full. This would go over your limit of ${config.storageLimitMB} MB. Please remove files, or delete a capsule you no longer need, also from your bin.`,
  });
}
