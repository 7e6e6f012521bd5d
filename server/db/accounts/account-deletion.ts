import {
  and,
  asc,
  eq,
  exists,
  inArray,
  isNull,
  lte,
  ne,
  not,
  notExists,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm';
import { addressHashOf } from '../address-hash.ts';
import type { Queryable } from '../open.ts';
import { anyRow, isOneOf } from '../rows.ts';
import {
  binnedCapsules,
  blocks,
  capsuleFiles,
  capsuleKeys,
  capsuleRecipients,
  capsules,
  contributions,
  isBinned,
  uploads,
  users,
} from '../schema.ts';
import { releaseFiles, releaseFilesOf } from '../storage/pending-files.ts';
import { deleteEmailsAbout, deleteEmailsTo } from './emails-about.ts';

/** Capsules in one statement, so that none runs longer than statements may. */
const AT_ONCE = 2_000;

/** The account whose deletion an operator has ordered that has been due for longest. */
export async function findDueDeletion(
  db: Queryable,
  { now, except }: { now: Date; except: string[] },
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(lte(users.deletionDueAt, now), notInArray(users.id, except)))
    .orderBy(asc(users.deletionDueAt))
    .limit(1);
  return row?.id;
}

type Leaving = { id: string; name: string; email: string };

/**
 * Leaves a deleted account's capsules to their recipients, under the creator's name. Not to those who
 * have blocked the creator: nobody could be unblocked any more.
 */
export async function leaveCapsules(tx: Queryable, creator: Leaving) {
  const own = tx
    .select({ id: capsules.id })
    .from(capsules)
    .where(eq(capsules.creatorId, creator.id));
  const blockers = tx
    .select({ id: blocks.userId })
    .from(blocks)
    .where(eq(blocks.blockedId, creator.id));
  await tx
    .delete(capsuleRecipients)
    .where(
      and(
        inArray(capsuleRecipients.userId, blockers),
        sql`${capsuleRecipients.blocked}`,
        inArray(capsuleRecipients.capsuleId, own),
      ),
    );
  const left = {
    departedCreator: creator.name,
    departedAddress: addressHashOf(creator.email),
    creatorId: null,
  };
  const isForOthers = exists(otherRecipients(tx, creator.id));
  await lockSome(tx, eq(capsules.creatorId, creator.id), (ids) =>
    tx
      .update(capsules)
      .set(left)
      .where(and(isOneOf(capsules.id, ids), isForOthers)),
  );
}

/**
 * Deletes every capsule that this person created, also from the bin, and those left to this person
 * alone, and releases their files.
 */
export async function removeCapsulesOf(tx: Queryable, userId: string): Promise<void> {
  await removeCapsulesWhere(tx, eq(capsules.creatorId, userId));
  const binned = tx
    .select({ id: binnedCapsules.capsuleId })
    .from(binnedCapsules)
    .where(eq(binnedCapsules.ownerId, userId));
  await removeCapsulesWhere(tx, isOneOf(capsules.id, binned));
  await removeCapsulesLeftTo(tx, userId);
}

/** Deletes capsules of deleted accounts that are for this person alone, and releases their files. */
export async function removeCapsulesLeftTo(tx: Queryable, userId: string): Promise<void> {
  const leftToThem = tx
    .select({ id: capsuleRecipients.capsuleId })
    .from(capsuleRecipients)
    .where(eq(capsuleRecipients.userId, userId));
  await removeCapsulesWhere(
    tx,
    and(
      isNull(capsules.creatorId),
      inArray(capsules.id, leftToThem),
      notExists(otherRecipients(tx, userId)),
    ),
  );
}

/**
 * Deletes capsules that belong to nobody any more, and releases their files. Either the bin has let
 * them go, or their creator and all recipients have deleted their accounts. If the last two
 * recipients leave at the same time, neither deletion finds the capsule.
 */
export async function removeUnreachable(tx: Queryable): Promise<void> {
  const recipients = anyRow(tx, capsuleRecipients, eq(capsuleRecipients.capsuleId, capsules.id));
  await removeCapsulesWhere(
    tx,
    and(isNull(capsules.creatorId), notExists(recipients), not(isBinned)),
  );
}

/** Deletes capsules for good, and releases their files. */
export function removeCapsulesWhere(tx: Queryable, condition: SQL | undefined): Promise<void> {
  return lockSome(tx, condition, async (ids) => {
    await releaseFilesOf(tx, capsuleFiles, isOneOf(capsuleFiles.capsuleId, ids));
    await deleteEmailsAbout(tx, ids);
    // Together: row by row, by their foreign keys, it takes several times as long.
    const { capsuleId } = capsuleKeys;
    await tx.update(capsuleKeys).set({ capsuleId: null }).where(isOneOf(capsuleId, ids));
    for (const table of [capsuleFiles, capsuleRecipients, contributions]) {
      await tx.delete(table).where(isOneOf(table.capsuleId, ids));
    }
    await tx.delete(capsules).where(isOneOf(capsules.id, ids));
  });
}

/**
 * Locks capsules in the order of their ids, some at a time. Whoever refuses an invitation locks them in
 * the same order: otherwise the two could wait for each other.
 */
async function lockSome(
  tx: Queryable,
  condition: SQL | undefined,
  work: (ids: string[]) => PromiseLike<unknown>,
): Promise<void> {
  // Read once: each search passes all rows that this transaction has changed before.
  const found = await tx.select({ id: capsules.id }).from(capsules).where(condition);
  const ids = found.map(({ id }) => id).sort();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const locked = await tx
      .select({ id: capsules.id })
      .from(capsules)
      .where(and(isOneOf(capsules.id, ids.slice(at, at + AT_ONCE)), condition))
      .orderBy(asc(capsules.id))
      .for('update');
    await work(locked.map(({ id }) => id));
  }
}

/**
 * Deletes the person, and emails that were requested by their address alone, such as a link for a
 * new password.
 */
export async function removeUser(
  tx: Queryable,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await deleteEmailsTo(tx, email);
  await releasePerson(tx, id);
}

/**
 * Deletes the person's row. Sessions, tokens, keys, uploads, emails and places as recipient go with
 * it by foreign keys. The files of uploads and the avatar are released.
 */
export async function releasePerson(tx: Queryable, id: string): Promise<void> {
  await releaseFilesOf(tx, uploads, eq(uploads.userId, id));
  const [removed] = await tx
    .delete(users)
    .where(eq(users.id, id))
    .returning({ avatarKey: users.avatarKey });
  if (removed?.avatarKey) await releaseFiles(tx, [removed.avatarKey]);
}

function otherRecipients(tx: Queryable, userId: string) {
  return anyRow(
    tx,
    capsuleRecipients,
    and(eq(capsuleRecipients.capsuleId, capsules.id), ne(capsuleRecipients.userId, userId)),
  );
}
