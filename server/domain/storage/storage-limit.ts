import { DAY_MS, MEGABYTE } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { later } from '../../clock/clock.ts';
import { deleteDispensableUploads } from '../../db/storage/uploads.ts';
import { findUsedBytes, LETTERS_FREE_BYTES } from '../../db/storage/used-bytes.ts';
import type { Deps } from '../../deps.ts';

type GivingDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'filesReleased'>;
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

/**
 * The same for what others write for a person: 10 MB of it count for nobody. @param moreBytes the
 * bytes to add @throws STORAGE_LIMIT_REACHED
 */
export async function checkRoomForLetters(
  deps: StorageDeps,
  { userId }: Pick<Actor, 'userId'>,
  moreBytes: number,
): Promise<void> {
  const { letterBytes, ...used } = await findUsedBytes(deps.db, userId);
  const counted = (bytes: number) => Math.max(0, bytes - LETTERS_FREE_BYTES);
  const moreCounted = counted(letterBytes + moreBytes) - counted(letterBytes);
  if (moreCounted > 0) assertRoom(deps, used, moreCounted);
}

/** What a person uses, and their own limit, if they have one. */
interface Used {
  usedBytes: number;
  ownLimitMB: number | null;
}

/** @throws STORAGE_LIMIT_REACHED if `moreBytes` do not fit beside what is used */
export function assertRoom(deps: Pick<Deps, 'config'>, used: Used, moreBytes: number): void {
  if (moreBytes > freeBytes(deps, used)) throw storageFull(deps, used);
}

/**
 * Looks whether a body that is about to be received has room. Several of one person that arrive at
 * once may all find it: the seal counts them. @param announced Content-Length of the body, or 0;
 * `expected` is the least its files take @returns counts the bytes of its files as they arrive
 * @throws STORAGE_LIMIT_REACHED, and so does what it returns
 */
export async function findRoom(
  deps: GivingDeps,
  actor: Actor,
  { announced, expected }: { announced: number; expected: number },
): Promise<(bytes: number) => void> {
  let used = await findUsedBytes(deps.db, actor.userId);
  if (announced > freeBytes(deps, used) && (await giveWay(deps, actor))) {
    used = await findUsedBytes(deps.db, actor.userId);
  }
  assertRoom(deps, used, expected);
  let received = 0;
  return (bytes) => {
    received += bytes;
    assertRoom(deps, used, received);
  };
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
 * be lost, and no screen shows them. A continued one starts again. Those of drafts stay as long as
 * their drafts. @returns whether there were any
 */
async function giveWay(deps: GivingDeps, { userId }: Actor): Promise<boolean> {
  const yesterday = later(deps.clock.now(), -DAY_MS);
  const deleted = await deleteDispensableUploads(deps.db, userId, yesterday);
  if (deleted > 0) deps.filesReleased();
  return deleted > 0;
}

function freeBytes(deps: Pick<Deps, 'config'>, used: Used): number {
  return storageLimitMB(deps, used.ownLimitMB) * MEGABYTE - used.usedBytes;
}

/** The limit that applies to a person. @param own theirs alone; null where the site's applies */
export function storageLimitMB({ config }: Pick<Deps, 'config'>, own: number | null): number {
  return own ?? config.storageLimitMB;
}

function storageFull(deps: Pick<Deps, 'config'>, { ownLimitMB }: Used): AppError {
  const limitMB = storageLimitMB(deps, ownLimitMB);
  return new AppError('STORAGE_LIMIT_REACHED', {
    message: `Your storage is full. This would go over your limit of ${limitMB} MB. Please remove files, or delete a draft or a capsule you no longer need, also from your bin.`,
  });
}
