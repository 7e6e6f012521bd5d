import { and, asc, eq, gt, isNotNull, isNull, lt, lte, max, type SQL, sql } from 'drizzle-orm';
import { DRAFT_WRITES_KEPT, DRAFTS_PER_PAGE } from '../../../shared/limits.ts';
import type { Queryable } from '../open.ts';
import { type DraftWrite, drafts, users } from '../schema.ts';

export type DraftRow = typeof drafts.$inferSelect;
export type DraftName = Pick<DraftRow, 'userId' | 'id'>;

/** In which browser a draft is changed, and when. */
export type DraftWriting = Pick<DraftRow, 'writtenOn' | 'writtenAt'>;

/** A page of changes has fewer bytes than this, unless it is of one draft. */
const PAGE_BYTES = 1_000_000;

const named = ({ userId, id }: DraftName) => and(eq(drafts.userId, userId), eq(drafts.id, id));

/**
 * The revision of a change. The person is locked, so that revisions grow in the order in which
 * changes are committed. It is the time in milliseconds, or one more than the last one: after a
 * backup was restored, it is still above those that devices know.
 */
function nextRevision(userId: string, { writtenAt }: DraftWriting): SQL<number> {
  const last = sql`(select max(revision) from drafts where user_id = ${userId})`;
  return sql`greatest(${writtenAt.getTime()}::bigint, ${last} + 1)`;
}

/** What this draft counts towards the storage limit, as part of another statement. Null where there is none. */
export function draftBytesOf({ userId, id }: DraftName) {
  return sql<
    number | null
  >`(select octet_length(content) from drafts where user_id = ${userId} and id = ${id})`;
}

export async function findDraft(db: Queryable, name: DraftName): Promise<DraftRow | undefined> {
  const [row] = await db.select().from(drafts).where(named(name));
  return row;
}

/** What is known of a draft without reading it, which may be megabytes. */
export async function findDraftOutside(db: Queryable, name: DraftName) {
  const { revision, gone, linkNumber, createdAt } = drafts;
  const [row] = await db
    .select({ revision, gone, linkNumber, createdAt })
    .from(drafts)
    .where(named(name));
  return row;
}

/** Counts another link of a draft. The person is locked. @returns what its token is signed with */
export async function raiseLinkNumber(tx: Queryable, name: DraftName) {
  const [row] = await tx
    .update(drafts)
    .set({ linkNumber: sql`${drafts.linkNumber} + 1` })
    .where(named(name))
    .returning({ linkNumber: drafts.linkNumber, createdAt: drafts.createdAt });
  if (!row) throw new Error('One draft got a link.');
  return row;
}

/** The newest revision of any draft of this person before this one; 0 for none. */
export async function findRevisionBefore(
  db: Queryable,
  userId: string,
  revision: number,
): Promise<number> {
  const [row] = await db
    .select({ last: max(drafts.revision) })
    .from(drafts)
    .where(and(eq(drafts.userId, userId), lt(drafts.revision, revision)));
  return row?.last ?? 0;
}

/** What was changed after a revision, in the order of revisions, and whether there is more. */
export async function findChanges(
  db: Queryable,
  userId: string,
  since: number,
): Promise<{ rows: DraftRow[]; more: boolean }> {
  const isAfter = and(eq(drafts.userId, userId), gt(drafts.revision, since));
  const ahead = await db
    .select({
      revision: drafts.revision,
      bytes: sql<number>`coalesce(octet_length(${drafts.content}), 0)`,
    })
    .from(drafts)
    .where(isAfter)
    .orderBy(asc(drafts.revision))
    .limit(DRAFTS_PER_PAGE + 1);
  let total = 0;
  const page = ahead.slice(0, DRAFTS_PER_PAGE).filter(({ bytes }, index) => {
    total += bytes;
    return index === 0 || total <= PAGE_BYTES;
  });
  const last = page.at(-1);
  if (!last) return { rows: [], more: false };
  const rows = await db
    .select()
    .from(drafts)
    .where(and(isAfter, lte(drafts.revision, last.revision)))
    .orderBy(asc(drafts.revision));
  return { rows, more: page.length < ahead.length };
}

/** The ids of a person's drafts that are not gone, in the order in which they were begun. */
export async function findDraftIds(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: drafts.id })
    .from(drafts)
    .where(and(eq(drafts.userId, userId), isNull(drafts.gone)))
    .orderBy(asc(drafts.createdAt), asc(drafts.id));
  return rows.map(({ id }) => id);
}

/** Saves a draft, also one that was discarded. The person is locked. @returns its new revision */
export async function writeDraft(
  tx: Queryable,
  name: DraftName,
  written: Pick<DraftRow, 'title' | 'recipientNames' | 'dateToUnlock'> & { content: string },
  writing: DraftWriting,
  write: { id: string; before: DraftWrite[] } | null = null,
): Promise<number> {
  const revision = nextRevision(name.userId, writing);
  const change = {
    ...writing,
    revision,
    ...written,
    ...(write && writesWith(write, revision)),
    gone: null,
  };
  const [row] = await tx
    .insert(drafts)
    .values({ ...name, ...change, createdAt: writing.writtenAt })
    .onConflictDoUpdate({
      target: [drafts.userId, drafts.id],
      // Its text is long, and sent once.
      set: { ...change, content: sql`excluded.content` },
    })
    .returning({ revision: drafts.revision });
  if (!row) throw new Error('One draft was written.');
  return row.revision;
}

function writesWith(write: { id: string; before: DraftWrite[] }, revision: SQL<number>) {
  const before = JSON.stringify(write.before.slice(1 - DRAFT_WRITES_KEPT));
  const last = sql`jsonb_build_object('id', ${write.id}::text, 'revision', ${revision})`;
  return { writes: sql`${before}::jsonb || ${last}` };
}

const goneBy = (gone: 'sealed' | 'discarded', userId: string, writing: DraftWriting) => ({
  ...writing,
  revision: nextRevision(userId, writing),
  content: null,
  title: null,
  recipientNames: null,
  dateToUnlock: null,
  gone,
});

export async function discardDraft(
  tx: Queryable,
  name: DraftName,
  writing: DraftWriting,
): Promise<void> {
  await tx
    .update(drafts)
    .set(goneBy('discarded', name.userId, writing))
    .where(named(name));
}

/**
 * Notes that a draft has become a capsule. One that has not arrived yet is sealed already when it
 * does. @returns the draft as it was
 */
export async function sealDraft(
  tx: Queryable,
  name: DraftName,
  writing: DraftWriting,
): Promise<DraftRow | undefined> {
  const before = await findDraft(tx, name);
  const change = goneBy('sealed', name.userId, writing);
  await tx
    .insert(drafts)
    .values({ ...name, ...change, createdAt: writing.writtenAt })
    .onConflictDoUpdate({ target: [drafts.userId, drafts.id], set: change });
  return before;
}

/** Deletes what is left of drafts that are gone. */
export async function deleteGoneDrafts(db: Queryable, goneBefore: Date): Promise<void> {
  await db.delete(drafts).where(and(isNotNull(drafts.gone), lte(drafts.writtenAt, goneBefore)));
}

export async function findDraftChoice(db: Queryable, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ onlyOnDevice: users.draftsOnlyOnDevice })
    .from(users)
    .where(eq(users.id, userId));
  return row?.onlyOnDevice ?? false;
}
