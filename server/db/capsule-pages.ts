import { and, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
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
  const queries = text ? PAGES[type](db, contains(text)) : PREPARED[type](db);
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

const SENDER = eq(users.id, capsules.creatorId);

const PAGES = {
  created: (db: Queryable, filter?: SQL) => {
    const where = and(eq(capsules.creatorId, USER), filter);
    const ids = db.select({ id: capsules.id }).from(capsules).$dynamic();
    const total = db.select({ total: count() }).from(capsules).$dynamic();
    return {
      rows: rowsOf(
        db,
        // Users are joined only when a filter needs them.
        (filter ? ids.leftJoin(users, SENDER) : ids)
          .where(where)
          .orderBy(desc(capsules.createdAt), desc(capsules.id)),
      ).prepare('created_page'),
      total: (filter ? total.leftJoin(users, SENDER) : total).where(where).prepare('created_total'),
    };
  },
  received: (db: Queryable, filter?: SQL) => {
    const where = and(eq(capsuleRecipients.userId, USER), filter);
    const ids = db.select({ id: capsuleRecipients.capsuleId }).from(capsuleRecipients).$dynamic();
    const total = db.select({ total: count() }).from(capsuleRecipients).$dynamic();
    const itself = eq(capsules.id, capsuleRecipients.capsuleId);
    return {
      rows: rowsOf(
        db,
        (filter ? ids.innerJoin(capsules, itself).leftJoin(users, SENDER) : ids)
          .where(where)
          .orderBy(desc(capsuleRecipients.createdAt), desc(capsuleRecipients.capsuleId)),
      ).prepare('received_page'),
      total: (filter ? total.innerJoin(capsules, itself).leftJoin(users, SENDER) : total)
        .where(where)
        .prepare('received_total'),
    };
  },
} satisfies Record<CapsuleType, unknown>;

/**
 * The capsules of a page of these ids. Without a filter the ids are found in an index alone, so
 * that the last page does not read the rows of all pages before it.
 */
function rowsOf(db: Queryable, ids: PgSelect) {
  const page = sql`(${ids.offset(OFFSET).limit(LIMIT)}) page(id)`;
  return db
    .select(OUTSIDE_COLUMNS)
    .from(capsules)
    .innerJoin(page, sql`page.id = ${capsules.id}`)
    .leftJoin(users, SENDER)
    .orderBy(desc(capsules.createdAt), desc(capsules.id));
}

const PREPARED = {
  created: prepared((db) => PAGES.created(db)),
  received: prepared((db) => PAGES.received(db)),
};

/**
 * Matches title, description, sender and recipients. The message is not searched, because it may
 * be locked.
 */
function contains(text: string): SQL | undefined {
  const pattern = containsPattern(text);
  return or(
    sql`${capsules.title} ilike ${pattern}`,
    sql`${capsules.description} ilike ${pattern}`,
    // The name as shown on the card, including that of a sender who has deleted their account.
    sql`${OUTSIDE_COLUMNS.senderName} ilike ${pattern}`,
    sql`${users.email} ilike ${pattern}`,
    sql`exists (
      select 1 from capsule_recipients r join users u on u.id = r.user_id
      where r.capsule_id = ${capsules.id} and (u.name ilike ${pattern} or u.email ilike ${pattern}))`,
  );
}
