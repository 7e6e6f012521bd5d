import { and, count, desc, eq, getTableColumns, gt, ne, not, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { BIN_DAYS, DAY_MS } from '../../../shared/limits.ts';
import { later } from '../../clock/clock.ts';
import { removeCapsulesWhere } from '../accounts/account-deletion.ts';
import { deleteUntold } from '../accounts/emails-about.ts';
import type { Queryable } from '../open.ts';
import { prepared } from '../prepared.ts';
import {
  binnedCapsules,
  binnedRecipients,
  capsuleRecipients,
  capsules,
  contributions,
  users,
} from '../schema.ts';

/*
 * A deleted capsule loses its creator and its recipients to the tables of the bin. Every statement
 * finds capsules by one of them, and so none has to ask whether a capsule is deleted.
 */

const KEPT_MS = BIN_DAYS * DAY_MS;

/** When a capsule that was deleted at this time is gone for good. */
export const goneAt = (deletedAt: Date): Date => later(deletedAt, KEPT_MS);

/** From then on nobody finds it in the bin, whether or not the sweep has emptied that. */
const isKept = (now: Date) => gt(binnedCapsules.deletedAt, later(now, -KEPT_MS));

/** What is asked of one capsule in a person's bin. */
interface InBin {
  capsuleId: string;
  ownerId: string;
  now: Date;
}

/** The caller has locked the owner. @returns whether they had created such a capsule */
export async function putInBin(
  tx: Queryable,
  { id, capsuleId, ownerId, now }: { id: string; capsuleId: string; ownerId: string; now: Date },
): Promise<boolean> {
  await lockPlaces(tx, capsuleRecipients, capsuleId);
  const [found] = await tx
    .update(capsules)
    .set({ creatorId: null })
    .where(and(eq(capsules.id, capsuleId), eq(capsules.creatorId, ownerId)))
    .returning({ id: capsules.id });
  if (!found) return false;
  await tx.insert(binnedCapsules).values({ id, capsuleId, ownerId, deletedAt: now });
  await movePlaces(tx, capsuleId, { from: capsuleRecipients, to: binnedRecipients });
  await deleteUntold(tx, capsuleId, null);
  return true;
}

/** Whether a binned capsule is for anybody but its owner, or has something in it that others have added. */
export async function concernsOthers(
  tx: Queryable,
  { capsuleId, ownerId }: Pick<InBin, 'capsuleId' | 'ownerId'>,
): Promise<boolean> {
  const recipient = tx
    .select({ id: binnedRecipients.userId })
    .from(binnedRecipients)
    .where(and(eq(binnedRecipients.capsuleId, capsuleId), ne(binnedRecipients.userId, ownerId)));
  const added = tx
    .select({ id: contributions.id })
    .from(contributions)
    .where(eq(contributions.capsuleId, capsuleId));
  return (await unionAll(recipient, added).limit(1)).length > 0;
}

/**
 * Brings a capsule back as it was. If it has opened, the job announces it to everybody who was not
 * told before. The caller has locked the owner. @returns whether it was in their bin
 */
export async function takeFromBin(tx: Queryable, asked: InBin): Promise<boolean> {
  const { capsuleId, ownerId } = asked;
  await lockPlaces(tx, binnedRecipients, capsuleId);
  const [binned] = await tx
    .delete(binnedCapsules)
    .where(inBin(asked))
    .returning({ id: binnedCapsules.id });
  if (!binned) return false;
  await deleteUntold(tx, capsuleId, 'dropped');
  await tx
    .update(capsules)
    .set({ creatorId: ownerId, openedNoticeAt: null })
    .where(eq(capsules.id, capsuleId));
  await movePlaces(tx, capsuleId, { from: binnedRecipients, to: capsuleRecipients });
  return true;
}

const inBin = ({ ownerId, capsuleId, now }: InBin) =>
  and(eq(binnedCapsules.ownerId, ownerId), eq(binnedCapsules.capsuleId, capsuleId), isKept(now));

type Places = typeof capsuleRecipients | typeof binnedRecipients;

/**
 * Locks the recipients before the capsule, as everywhere: a recipient who refuses everything does so
 * too.
 */
async function lockPlaces(tx: Queryable, places: Places, capsuleId: string): Promise<void> {
  await tx
    .select({ id: users.id })
    .from(places)
    .innerJoin(users, eq(users.id, places.userId))
    .where(eq(places.capsuleId, capsuleId))
    .orderBy(users.id)
    .for('key share', { of: users });
}

async function movePlaces(
  tx: Queryable,
  capsuleId: string,
  { from, to }: { from: Places; to: Places },
): Promise<void> {
  const names = Object.values(getTableColumns(capsuleRecipients)).map(({ name }) => name);
  const columns = sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );
  await tx.execute(sql`
    with moved as (delete from ${from} where ${from.capsuleId} = ${capsuleId} returning *)
    insert into ${to} (${columns}) select ${columns} from moved`);
}

/** Removes a binned capsule for good, and releases its files. @returns false when it was not in their bin */
export async function removeFromBin(tx: Queryable, asked: InBin): Promise<boolean> {
  const gone = await tx.delete(binnedCapsules).where(inBin(asked));
  if (gone.count === 0) return false;
  await removeCapsulesWhere(tx, eq(capsules.id, asked.capsuleId));
  return true;
}

/**
 * Lets go of what has been in bins for too long. It then belongs to nobody, and `removeUnreachable`
 * deletes it.
 */
export async function emptyBins(db: Queryable, now: Date): Promise<void> {
  await db.delete(binnedCapsules).where(not(isKept(now)));
}

export async function countBin(db: Queryable, ownerId: string, now: Date): Promise<number> {
  const deletedAfter = later(now, -KEPT_MS).toISOString();
  const [row] = await binTotal(db).execute({ ownerId, deletedAfter });
  return row?.total ?? 0;
}

const binTotal = prepared((db) =>
  db
    .select({ total: count() })
    .from(binnedCapsules)
    .where(
      and(
        eq(binnedCapsules.ownerId, sql.placeholder('ownerId')),
        gt(binnedCapsules.deletedAt, sql`${sql.placeholder('deletedAfter')}::timestamptz`),
      ),
    )
    .prepare('bin_total'),
);

/** A person's bin, what was deleted last first. */
export async function findBin(
  db: Queryable,
  { ownerId, now, limit }: { ownerId: string; now: Date; limit: number },
) {
  const rows = await db
    .select({
      id: capsules.id,
      title: capsules.title,
      dateToUnlock: capsules.dateToUnlock,
      timeZone: capsules.timeZone,
      deletedAt: binnedCapsules.deletedAt,
      recipients: sql<{ name: string; isOwner: boolean }[]>`(
        select coalesce(json_agg(json_build_object(
          'name', u.name, 'isOwner', u.id = ${binnedCapsules.ownerId}) order by r.position), '[]')
        from binned_recipients r join users u on u.id = r.user_id where r.capsule_id = ${capsules.id})`,
    })
    .from(binnedCapsules)
    .innerJoin(capsules, eq(capsules.id, binnedCapsules.capsuleId))
    .where(and(eq(binnedCapsules.ownerId, ownerId), isKept(now)))
    .orderBy(desc(binnedCapsules.deletedAt), desc(capsules.id))
    .limit(limit);
  return { rows, total: await countBin(db, ownerId, now) };
}

/** By the id of the deletion. */
export async function findDeletion(db: Queryable, { id, now }: { id: string; now: Date }) {
  const [row] = await db
    .select({
      capsuleId: binnedCapsules.capsuleId,
      ownerId: binnedCapsules.ownerId,
      deletedAt: binnedCapsules.deletedAt,
      title: capsules.title,
      timeZone: capsules.timeZone,
    })
    .from(binnedCapsules)
    .innerJoin(capsules, eq(capsules.id, binnedCapsules.capsuleId))
    .where(and(eq(binnedCapsules.id, id), isKept(now)));
  return row;
}
