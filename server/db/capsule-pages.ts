import { count, desc, eq, inArray, sql } from 'drizzle-orm';
import type { PgSelect } from 'drizzle-orm/pg-core';
import type { CapsuleType } from '../../shared/api/capsules.ts';
import { type CapsuleRow, OUTSIDE_COLUMNS } from './capsules.ts';
import { containsPattern } from './like.ts';
import type { Queryable } from './open.ts';
import { prepared } from './prepared.ts';
import { capsuleRecipients, capsules, users } from './schema.ts';

/** Placeholders of the prepared queries. */
const USER = sql.placeholder('userId');
const OFFSET = sql.placeholder('offset');
const LIMIT = sql.placeholder('limit');

/** One page of the capsules a person created or received, newest first, with their total number. */
export async function findCapsulePage(
  db: Queryable,
  userId: string,
  type: CapsuleType,
  page: { offset: number; limit: number; text?: string | undefined },
): Promise<{ rows: CapsuleRow[]; total: number }> {
  const { offset, limit, text } = page;
  if (text) {
    const { ids, total } = await searchCapsules(db, userId, type, { offset, limit, text });
    return { rows: ids.length > 0 ? await findCapsules(db, ids) : [], total };
  }
  const queries = PAGES[type](db);
  const [rows, [counted]] = await Promise.all([
    queries.rows.execute({ userId, offset, limit }),
    queries.total.execute({ userId }),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** The ids of all capsules a person created or received, newest first. */
export async function findCapsuleIds(
  db: Queryable,
  userId: string,
  type: CapsuleType,
): Promise<string[]> {
  const rows =
    type === 'created'
      ? await db
          .select({ id: capsules.id })
          .from(capsules)
          .where(eq(capsules.creatorId, userId))
          .orderBy(desc(capsules.createdAt), desc(capsules.id))
      : await db
          .select({ id: capsuleRecipients.capsuleId })
          .from(capsuleRecipients)
          .where(eq(capsuleRecipients.userId, userId))
          .orderBy(desc(capsuleRecipients.createdAt), desc(capsuleRecipients.capsuleId));
  return rows.map(({ id }) => id);
}

/** Those of these capsules that still exist, newest first. */
export function findCapsules(db: Queryable, ids: string[]): Promise<CapsuleRow[]> {
  return db
    .select(OUTSIDE_COLUMNS)
    .from(capsules)
    .leftJoin(users, eq(users.id, capsules.creatorId))
    .where(inArray(capsules.id, ids))
    .orderBy(desc(capsules.createdAt), desc(capsules.id));
}

const PAGES = {
  created: prepared((db) => {
    const where = eq(capsules.creatorId, USER);
    const ids = db
      .select({ id: capsules.id })
      .from(capsules)
      .where(where)
      .orderBy(desc(capsules.createdAt), desc(capsules.id));
    const total = db.select({ total: count() }).from(capsules).where(where);
    return {
      rows: rowsOf(db, ids.$dynamic()).prepare('created_page'),
      total: total.prepare('created_total'),
    };
  }),
  received: prepared((db) => {
    const where = eq(capsuleRecipients.userId, USER);
    const ids = db
      .select({ id: capsuleRecipients.capsuleId })
      .from(capsuleRecipients)
      .where(where)
      .orderBy(desc(capsuleRecipients.createdAt), desc(capsuleRecipients.capsuleId));
    const total = db.select({ total: count() }).from(capsuleRecipients).where(where);
    return {
      rows: rowsOf(db, ids.$dynamic()).prepare('received_page'),
      total: total.prepare('received_total'),
    };
  }),
} satisfies Record<CapsuleType, unknown>;

/**
 * The capsules of a page of these ids, which are found in an index alone, so that the last page
 * does not read the rows of all pages before it.
 */
function rowsOf(db: Queryable, ids: PgSelect) {
  const page = sql`(${ids.offset(OFFSET).limit(LIMIT)}) page(id)`;
  return db
    .select(OUTSIDE_COLUMNS)
    .from(capsules)
    .innerJoin(page, sql`page.id = ${capsules.id}`)
    .leftJoin(users, eq(users.id, capsules.creatorId))
    .orderBy(desc(capsules.createdAt), desc(capsules.id));
}

/**
 * A page of the capsules that match `text` by title, description, sender or recipients, and their
 * number. The message is not searched, because it may be locked.
 *
 * All capsules of the person are read, once. The people of a capsule are looked up one by one: as a
 * join, PostgreSQL reads the people of all capsules there are.
 */
async function searchCapsules(
  db: Queryable,
  userId: string,
  type: CapsuleType,
  { offset, limit, text }: { offset: number; limit: number; text: string },
): Promise<{ ids: string[]; total: number }> {
  const pattern = containsPattern(text);
  const [isOwn, senderId] =
    type === 'created'
      ? [sql`creator_id = ${userId}`, sql`${userId}`]
      : [
          sql`id in (select capsule_id from capsule_recipients where user_id = ${userId})`,
          sql`c.creator_id`,
        ];
  const [row] = await db.execute<{ ids: string[]; total: number }>(sql`
    with found as materialized (
      select id, created_at from capsules c
      where ${isOwn} and (
        title ilike ${pattern} or description ilike ${pattern}
        or departed_creator ilike ${pattern}
        or (select u.name ilike ${pattern} or u.email ilike ${pattern}
          from users u where u.id = ${senderId})
        or (select bool_or(u.name ilike ${pattern} or u.email ilike ${pattern})
          from capsule_recipients r join users u on u.id = r.user_id where r.capsule_id = c.id))
    )
    select (select count(*)::int from found) as total,
      array(select id from found order by created_at desc, id desc
        offset ${offset} limit ${limit}) as ids`);
  return row ?? { ids: [], total: 0 };
}
