import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
} from 'drizzle-orm';
import type { Database, Queryable } from '../open.ts';
import {
  capsuleFiles,
  capsules,
  contributionLinks,
  contributions,
  drafts,
  uploads,
  users,
} from '../schema.ts';
import { releaseFiles } from '../storage/pending-files.ts';
import type { DraftName } from './drafts.ts';

export type ContributionRow = typeof contributions.$inferSelect;
export type LinkRow = typeof contributionLinks.$inferSelect;

/** What those who add see of a draft. */
const OF_DRAFT = {
  organiser: users.name,
  suspendedAt: users.suspendedAt,
  gone: drafts.gone,
  title: drafts.title,
  recipientNames: drafts.recipientNames,
  dateToUnlock: drafts.dateToUnlock,
};

const linkOf = ({ userId, id }: DraftName) =>
  and(eq(contributionLinks.userId, userId), eq(contributionLinks.draftId, id));
const ofDraft = ({ userId, id }: DraftName) =>
  and(eq(contributions.userId, userId), eq(contributions.draftId, id));
const addedTo = (name: DraftName) => and(ofDraft(name), isNull(contributions.removedAt));

/** Makes the link of a draft. The former one ends. */
export async function replaceLink(tx: Queryable, link: LinkRow): Promise<void> {
  const { userId: _user, draftId: _draft, ...change } = link;
  await tx
    .insert(contributionLinks)
    .values(link)
    .onConflictDoUpdate({
      target: [contributionLinks.userId, contributionLinks.draftId],
      set: change,
    });
}

export async function deleteLink(tx: Queryable, name: DraftName): Promise<void> {
  await tx.delete(contributionLinks).where(linkOf(name));
}

export async function findLinkOf(db: Queryable, name: DraftName): Promise<LinkRow | undefined> {
  const [link] = await db.select().from(contributionLinks).where(linkOf(name));
  return link;
}

/** Ends the links of a person that were made from then on: somebody else may have made them. */
export async function deleteNewLinks(tx: Queryable, userId: string, since: Date): Promise<void> {
  const { madeAt } = contributionLinks;
  await tx
    .delete(contributionLinks)
    .where(and(eq(contributionLinks.userId, userId), gte(madeAt, since)));
}

/** A link that has not ended, with its draft, which may be gone. */
export async function findLink(db: Queryable, tokenHash: string, now: Date) {
  const { userId, draftId, words, isSurprise, until, endsAt } = contributionLinks;
  const [link] = await db
    .select({ userId, draftId, words, isSurprise, until, ...OF_DRAFT })
    .from(contributionLinks)
    .innerJoin(drafts, and(eq(drafts.userId, userId), eq(drafts.id, draftId)))
    .innerJoin(users, eq(users.id, userId))
    .where(and(eq(contributionLinks.tokenHash, tokenHash), or(isNull(endsAt), gt(endsAt, now))));
  return link;
}

/** A contribution, and its draft while it is not sealed. */
export async function findContribution(db: Queryable, id: string) {
  const [row] = await db
    .select({ contribution: contributions, ...OF_DRAFT, isSurprise: contributionLinks.isSurprise })
    .from(contributions)
    .leftJoin(
      drafts,
      and(eq(drafts.userId, contributions.userId), eq(drafts.id, contributions.draftId)),
    )
    .leftJoin(users, eq(users.id, contributions.userId))
    .leftJoin(
      contributionLinks,
      and(
        eq(contributionLinks.userId, contributions.userId),
        eq(contributionLinks.draftId, contributions.draftId),
      ),
    )
    .where(eq(contributions.id, id));
  return row;
}

/** Who has added by these ids, to drafts that are neither sealed nor discarded. */
export async function findAddedPeople(db: Queryable, ids: string[]) {
  const { id, userId, draftId, name, removedAt } = contributions;
  const rows = await db
    .select({ id, userId, draftId: drafts.id, name, title: drafts.title })
    .from(contributions)
    .innerJoin(drafts, and(eq(drafts.userId, userId), eq(drafts.id, draftId)))
    .where(and(inArray(id, ids), isNull(removedAt), isNull(drafts.gone)));
  return new Map(rows.map((row) => [row.id, row]));
}

/** @returns also how many there are with those that were removed */
export async function countContributions(db: Queryable, name: DraftName) {
  const { removedAt } = contributions;
  const [row] = await db
    .select({ all: count(), removed: count(removedAt) })
    .from(contributions)
    .where(ofDraft(name));
  const { all, removed } = row ?? { all: 0, removed: 0 };
  return { all, added: all - removed };
}

/** @returns false if the id is taken */
export async function insertContribution(tx: Queryable, row: ContributionRow): Promise<boolean> {
  const changed = await tx.insert(contributions).values(row).onConflictDoNothing();
  return changed.count > 0;
}

/** The person is locked. @returns the new revision */
export async function updateContribution(
  tx: Queryable,
  id: string,
  change: Pick<ContributionRow, 'name' | 'letter' | 'files' | 'updatedAt'> &
    Partial<Pick<ContributionRow, 'secretHash' | 'formerSecretHash'>>,
): Promise<number> {
  const [row] = await tx
    .update(contributions)
    .set({ ...change, revision: sql`${contributions.revision} + 1` })
    .where(eq(contributions.id, id))
    .returning({ revision: contributions.revision });
  if (!row) throw new Error('One contribution was changed.');
  return row.revision;
}

/** Those of a draft in the order they came, without what only their writers may read. */
export function findAdded(db: Queryable, name: DraftName) {
  const isThere = and(
    eq(uploads.userId, contributions.userId),
    eq(uploads.contributionId, contributions.id),
    isNotNull(uploads.sha256),
  );
  const { id, name: writer, letter, files, updatedAt, createdAt } = contributions;
  return db
    .select({
      id,
      name: writer,
      files,
      updatedAt,
      hasLetter: sql<boolean>`${letter} <> ''`,
      fileCount: count(uploads.id),
      bytes: sql`coalesce(sum(${uploads.bytes}), 0)`.mapWith(Number),
    })
    .from(contributions)
    .leftJoin(uploads, isThere)
    .where(addedTo(name))
    .groupBy(id)
    .orderBy(asc(createdAt), asc(id));
}

/** Those of a draft that were removed since then, the last one first. */
export function findRemoved(db: Queryable, name: DraftName, since: Date) {
  const { id, name: writer, removedAt } = contributions;
  return db
    .select({ id, name: writer })
    .from(contributions)
    .where(and(ofDraft(name), gt(removedAt, since)))
    .orderBy(desc(removedAt), asc(id));
}

/** Removes one, or puts it back. The person is locked. */
export async function setRemoved(tx: Queryable, id: string, removedAt: Date | null): Promise<void> {
  await tx.update(contributions).set({ removedAt }).where(eq(contributions.id, id));
}

/** Ids of the files of a contribution that are there whole. */
export async function findArrivedOf(db: Queryable, { id, userId, capsuleId }: ContributionRow) {
  if (capsuleId !== null) {
    const isIn = and(eq(capsuleFiles.capsuleId, capsuleId), eq(capsuleFiles.contributionId, id));
    const rows = await db.select({ id: capsuleFiles.uploadId }).from(capsuleFiles).where(isIn);
    return rows.flatMap((row) => row.id ?? []);
  }
  const isThere = and(ofContribution({ userId, id }), isNotNull(uploads.sha256));
  const rows = await db.select({ id: uploads.id }).from(uploads).where(isThere);
  return rows.map((row) => row.id);
}

const ofContribution = ({ id, userId }: Pick<ContributionRow, 'id' | 'userId'>) =>
  and(eq(uploads.userId, userId), eq(uploads.contributionId, id));

/** Deletes the uploads of a contribution, besides these, and releases their files. */
export async function keepUploads(
  tx: Queryable,
  contribution: Pick<ContributionRow, 'id' | 'userId'>,
  kept: string[],
): Promise<void> {
  const isLeft = sql`${uploads.id} <> all(${sql.param(kept)}::uuid[])`;
  const gone = await tx
    .delete(uploads)
    .where(and(ofContribution(contribution), isLeft))
    .returning({ storageKey: uploads.storageKey });
  await releaseFiles(tx, gone.map(keyOf));
}

const keyOf = ({ storageKey }: { storageKey: string }) => storageKey;

/** Deletes a contribution that is not sealed, with its uploads. The person is locked. */
export async function deleteContribution(
  tx: Queryable,
  contribution: Pick<ContributionRow, 'id' | 'userId'>,
): Promise<void> {
  await keepUploads(tx, contribution, []);
  await tx.delete(contributions).where(eq(contributions.id, contribution.id));
}

/** Deletes what was removed before this time, and releases its files. */
export async function deleteRemoved(db: Database, removedBefore: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const gone = await tx
      .delete(contributions)
      .where(and(lte(contributions.removedAt, removedBefore), isNull(contributions.capsuleId)))
      .returning({ id: contributions.id, userId: contributions.userId });
    for (const one of gone) await keepUploads(tx, one, []);
  });
}

/** Deletes what was added to drafts that were discarded before this time. Their uploads went before. */
export async function deleteDiscarded(db: Queryable, discardedBefore: Date): Promise<void> {
  const discarded = sql`exists (select 1 from drafts d
    where d.user_id = ${contributions.userId} and d.id = ${contributions.draftId}
      and d.gone is not null and d.written_at <= ${sql.param(discardedBefore, drafts.writtenAt)})`;
  await db.delete(contributions).where(discarded);
}

/**
 * Makes what was added to a draft part of its capsule, in the transaction that seals: letters, and the
 * files that have arrived whole, after those of the creator. Any others are released.
 * @param newId makes the id of a file @param position of the first file @returns how many files, and who
 */
export async function sealContributions(
  tx: Queryable,
  {
    capsuleId,
    position,
    newId,
    ...name
  }: DraftName & {
    capsuleId: string;
    position: number;
    newId: () => string;
  },
): Promise<{ files: number; added: AddedName[] }> {
  const sealed = await tx
    .update(contributions)
    .set({ capsuleId, draftId: null })
    .where(addedTo(name))
    .returning();
  if (sealed.length === 0) return { files: 0, added: [] };
  const ids = sealed.map(({ id }) => id);
  const taken = await tx
    .delete(uploads)
    .where(and(eq(uploads.userId, name.userId), inArray(uploads.contributionId, ids)))
    .returning();
  const rows = sealed.sort(byComing).flatMap((one) => {
    const named: { id: string }[] = JSON.parse(one.files);
    const own = new Map(
      taken
        .filter(({ contributionId }) => contributionId === one.id)
        .map((file) => [file.id, file]),
    );
    return named.flatMap(({ id }) => {
      const file = own.get(id);
      if (!file || file.type === null || file.sha256 === null) return [];
      const { name: fileName, bytes, type, sha256, storageKey } = file;
      const row = { name: fileName, bytes, type, sha256, storageKey, uploadId: id };
      return [{ ...row, capsuleId, contributionId: one.id }];
    });
  });
  const isIn = new Set(rows.map(keyOf));
  await releaseFiles(
    tx,
    taken.map(keyOf).filter((key) => !isIn.has(key)),
  );
  const added = sealed
    .filter(({ id, letter }) => letter !== '' || rows.some((row) => row.contributionId === id))
    .map(({ name: writer, letter }) => ({ name: writer, hasLetter: letter !== '' }));
  if (rows.length === 0) return { files: 0, added };
  const placed = rows.map((row, index) => ({ ...row, id: newId(), position: position + index }));
  for (let at = 0; at < placed.length; at += FILES_AT_ONCE) {
    await tx.insert(capsuleFiles).values(placed.slice(at, at + FILES_AT_ONCE));
  }
  const bytes = rows.reduce((sum, file) => sum + file.bytes, 0);
  await tx
    .update(capsules)
    .set({
      mediaCount: sql`${capsules.mediaCount} + ${rows.length}`,
      totalBytes: sql`${capsules.totalBytes} + ${bytes}`,
    })
    .where(eq(capsules.id, capsuleId));
  return { files: rows.length, added };
}

/** A statement takes 65,535 values, and a file is a dozen. */
const FILES_AT_ONCE = 1_000;

const byComing = (a: ContributionRow, b: ContributionRow) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/** Letters of one page have fewer bytes than this together, unless it is a single one. */
const PAGE_BYTES = 300_000;

/**
 * Some of what was added to a capsule, in the order it came, and how many there are after the last one
 * of them. Ask for it only after the lock has been asked.
 * @param afterId the last one of the page before; null for the first page
 */
export async function findContributionPage(
  db: Queryable,
  capsuleId: string,
  afterId: string | null,
) {
  const rows = await db.execute<{ id: string; name: string; letter: string; left: number }>(sql`
    select id, name, letter, (total - place)::int as "left" from (
      select id, name, letter, count(*) over () as total,
        row_number() over coming as place,
        sum(octet_length(letter)) over coming - octet_length(letter) as before
      from contributions where capsule_id = ${capsuleId} and (${afterId}::uuid is null
        or (created_at, id) > (select created_at, id from contributions where id = ${afterId}))
      window coming as (order by created_at, id)) added
    where before = 0 or before + octet_length(letter) <= ${PAGE_BYTES} order by place`);
  return { rows: [...rows], left: rows.at(-1)?.left ?? 0 };
}

type AddedName = { name: string; hasLetter: boolean };

/** Who has added something to a capsule, in the order they came. */
export function findAddedNames(db: Queryable, capsuleId: string) {
  const { name, letter, createdAt, id } = contributions;
  const hasLetter = sql<boolean>`${letter} <> ''`;
  const hasFile = sql`exists (select 1 from capsule_files f
    where f.capsule_id = ${contributions.capsuleId} and f.contribution_id = ${id})`;
  return db
    .select({ name, hasLetter })
    .from(contributions)
    .where(and(eq(contributions.capsuleId, capsuleId), or(hasLetter, hasFile)))
    .orderBy(asc(createdAt), asc(id));
}

/** The capsule that has a contribution. */
export async function findCapsuleOf(db: Queryable, contributionId: string) {
  const [row] = await db
    .select({ id: contributions.capsuleId })
    .from(contributions)
    .where(eq(contributions.id, contributionId));
  return row?.id ?? null;
}
