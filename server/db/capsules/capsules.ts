import { and, count, eq, exists, inArray, not, notInArray, or, type SQL, sql } from 'drizzle-orm';

import { nameFor } from '../accounts/users.ts';
import type { Queryable } from '../open.ts';
import { prepared } from '../prepared.ts';
import { anyRow } from '../rows.ts';
import { capsuleFiles, capsuleRecipients, capsules, isUnseen, users } from '../schema.ts';

export type FileRow = typeof capsuleFiles.$inferSelect;

/** What can be seen of a capsule at any time. Its contents are never read together with it. */
export const OUTSIDE_COLUMNS = {
  id: capsules.id,
  creatorId: capsules.creatorId,
  title: capsules.title,
  description: capsules.description,
  dateToUnlock: capsules.dateToUnlock,
  timeZone: capsules.timeZone,
  unlockAt: capsules.unlockAt,
  mediaCount: capsules.mediaCount,
  refusals: capsules.refusals,
  createdAt: capsules.createdAt,
  senderName: sql<string>`coalesce(${users.name}, ${capsules.departedCreator}, '')`,
  senderEmail: sql<string>`coalesce(${users.email}, '')`,
  recipients: sql<RecipientRow[]>`(
    select coalesce(json_agg(json_build_object('userId', u.id, 'email', u.email,
      'name', ${nameFor(capsules.creatorId, sql`u`)},
      'hidden', r.hidden, 'unseen', ${isUnseen({ seenAt: sql`r.seen_at`, unlockAt: sql`r.unlock_at` })},
      'hasAnswered', r.read_answered_at is not null, 'openedOn', r.told_opened_on
    ) order by r.position), '[]')
    from capsule_recipients r join users u on u.id = r.user_id where r.capsule_id = ${capsules.id})`,
};

export interface RecipientRow {
  userId: string;
  name: string;
  email: string;
  /** They have put the capsule away. */
  hidden: boolean;
  /** They have not looked at it since it opened. True while it is locked. */
  unseen: boolean;
  /** They have said whether the creator may know that they have read it. */
  hasAnswered: boolean;
  /** The day on which they opened it, if they have let the creator know. */
  openedOn: string | null;
}

export type CapsuleRow = Awaited<ReturnType<ReturnType<typeof visibleCapsule>['execute']>>[number];

/**
 * What is inside. Ask for it only after the lock has been asked. What others have added may be more
 * than memory has room for: `findContributionPage` reads it.
 */
export interface CapsuleContents {
  personalMessage: string;
  /** The creator's, then, where they are asked for, those of each contribution. */
  files: FileRow[];
  /** Contributions that have something in them. */
  contributors: number;
}

/** The capsule, if this person created or receives it. To everybody else it does not exist. */
export async function findVisibleCapsule(
  db: Queryable,
  userId: string,
  id: string,
): Promise<CapsuleRow | undefined> {
  const [row] = await visibleCapsule(db).execute({ userId, id });
  return row;
}

const visibleCapsule = prepared((db) =>
  db
    .select(OUTSIDE_COLUMNS)
    .from(capsules)
    .leftJoin(users, eq(users.id, capsules.creatorId))
    .where(
      and(
        eq(capsules.id, sql.placeholder('id')),
        or(
          eq(capsules.creatorId, sql.placeholder('userId')),
          exists(
            anyRow(
              db,
              capsuleRecipients,
              and(
                eq(capsuleRecipients.capsuleId, capsules.id),
                eq(capsuleRecipients.userId, sql.placeholder('userId')),
                not(capsuleRecipients.blocked),
              ),
            ),
          ),
        ),
      ),
    )
    .prepare('visible_capsule'),
);

/** @param files whose files are asked for */
export async function findContents(
  db: Queryable,
  capsuleIds: string[],
  files: 'creator' | 'all',
): Promise<Map<string, CapsuleContents>> {
  if (capsuleIds.length === 0) return new Map();
  const rows = await contentsOf(db)[files].execute({ ids: capsuleIds });
  return new Map(rows.map(({ id, ...contents }) => [id, contents]));
}

const contentsOf = prepared((db) => ({
  all: selectContents(db, sql`true`).prepare('contents_all'),
  creator: selectContents(db, sql`f.contribution_id is null`).prepare('contents_creator'),
}));

function selectContents(db: Queryable, isAsked: SQL) {
  return (
    db
      .select({
        id: capsules.id,
        personalMessage: capsules.personalMessage,
        files: sql<FileRow[]>`(
        select coalesce(json_agg(json_build_object(
          'id', f.id, 'capsuleId', f.capsule_id, 'position', f.position, 'name', f.name,
          'type', f.type, 'bytes', f.bytes, 'sha256', f.sha256, 'storageKey', f.storage_key,
          'uploadId', f.upload_id, 'lostAt', f.lost_at, 'contributionId', f.contribution_id
        ) order by f.position), '[]') from capsule_files f
        where f.capsule_id = capsules.id and ${isAsked})`,
        contributors: sql<number>`(
        select count(*)::int from contributions a where a.capsule_id = capsules.id
          and (a.letter <> '' or exists (select 1 from capsule_files f
            where f.capsule_id = capsules.id and f.contribution_id = a.id)))`,
      })
      .from(capsules)
      // Not compared with the parameter itself: PostgreSQL would plan each call anew, for so many ids.
      .where(sql`${capsules.id} = any(array(select unnest(${sql.placeholder('ids')}::uuid[])))`)
  );
}

export async function findFile(db: Queryable, fileId: string): Promise<FileRow | undefined> {
  const [row] = await db.select().from(capsuleFiles).where(eq(capsuleFiles.id, fileId));
  return row;
}

/** The ids of the capsules that a recipient's list leaves out: put away, or from somebody they have blocked. */
export function hiddenFrom(userId: unknown): SQL {
  return sql`(select capsule_id from capsule_recipients where user_id = ${userId} and hidden)`;
}

/** The ids of the capsules that do not exist for a recipient, who has blocked their creators. */
export function blockedFrom(userId: unknown): SQL {
  return sql`(select capsule_id from capsule_recipients where user_id = ${userId} and blocked)`;
}

/** How many capsules a recipient has put away. */
export async function countHidden(db: Queryable, userId: string): Promise<number> {
  const [row] = await hiddenTotal(db).execute({ userId });
  return row?.total ?? 0;
}

const hiddenTotal = prepared((db) =>
  db
    .select({ total: count() })
    .from(capsuleRecipients)
    .where(
      and(
        eq(capsuleRecipients.userId, sql.placeholder('userId')),
        sql`${capsuleRecipients.hidden}`,
        notInArray(capsuleRecipients.capsuleId, blockedFrom(sql.placeholder('userId'))),
      ),
    )
    .prepare('hidden_total'),
);

/** Puts a capsule away for a recipient, or brings it back. @returns whether they receive it */
export async function setHidden(
  db: Queryable,
  { userId, id, hidden, now }: { userId: string; id: string; hidden: boolean; now: Date },
): Promise<boolean> {
  const changed = await db
    .update(capsuleRecipients)
    .set({ hidden, ...(hidden && { hiddenAt: now }) })
    .where(
      and(
        eq(capsuleRecipients.capsuleId, id),
        eq(capsuleRecipients.userId, userId),
        not(capsuleRecipients.blocked),
      ),
    );
  return changed.count > 0;
}

/**
 * How many capsules a person created and received, for the public profile. Others see no difference
 * when the person has blocked somebody.
 */
export async function countCapsules(
  db: Queryable,
  userId: string,
  { seenBy }: { seenBy: string | null },
) {
  const isShown = notInArray(capsuleRecipients.capsuleId, hiddenFrom(userId));
  const isBlocked = inArray(capsuleRecipients.capsuleId, blockedFrom(userId));
  const isCounted = seenBy === userId ? isShown : or(isShown, isBlocked);
  const [created, received] = await Promise.all([
    db.$count(capsules, eq(capsules.creatorId, userId)),
    db.$count(capsuleRecipients, and(eq(capsuleRecipients.userId, userId), isCounted)),
  ]);
  return { created, received };
}
