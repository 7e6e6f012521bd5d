import { count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { CapsuleType, CapsuleView } from '../../shared/api/capsules.ts';
import { type CapsuleRow, hiddenFrom, OUTSIDE_COLUMNS } from './capsules.ts';
import { containsPattern } from './like.ts';
import type { Queryable } from './open.ts';
import { prepared } from './prepared.ts';
import { capsuleRecipients, capsules, isUnseen, users } from './schema.ts';

/** Placeholders of the prepared queries. */
const USER = sql.placeholder('userId');
const NOW = sql`${sql.placeholder('now')}::timestamptz`;
const OFFSET = sql.placeholder('offset');
const LIMIT = sql.placeholder('limit');

/** A list of one person, see `capsuleViewSchema` for the views. */
export interface ListOf {
  type: CapsuleType;
  view: CapsuleView;
  /** Of the received capsules, those that were put away instead of the others. */
  hidden: boolean;
  now: Date;
  /** Filters by title, description, sender and recipients. */
  text?: string | undefined;
}

/** One page of the capsules a person created or received, with their total number. */
export async function findCapsulePage(
  db: Queryable,
  userId: string,
  list: ListOf,
  page: { offset: number; limit: number },
): Promise<{ rows: CapsuleRow[]; total: number }> {
  if (list.text) {
    const { ids, total } = await searchCapsules(db, userId, list, list.text, page);
    const rows = ids.length > 0 ? await findCapsules(db, ids) : [];
    const byId = new Map(rows.map((row) => [row.id, row]));
    return { rows: ids.flatMap((id) => byId.get(id) ?? []), total };
  }
  const queries = pagesOf(list)(db);
  const values = { userId, now: list.now.toISOString() };
  const [rows, [counted]] = await Promise.all([
    queries.rows.execute({ ...values, ...page }),
    queries.total.execute(values),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** The ids of all capsules a person created or received, put away or not, newest first. */
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

/** The ids and unlock instants of all capsules a person created or received, the first to open first. */
export async function findOpenings(
  db: Queryable,
  userId: string,
): Promise<{ id: string; unlockAt: Date }[]> {
  const created = await db
    .select({ id: capsules.id, unlockAt: capsules.unlockAt })
    .from(capsules)
    .where(eq(capsules.creatorId, userId))
    .orderBy(capsules.unlockAt, capsules.id);
  const received = await db
    .select({ id: capsuleRecipients.capsuleId, unlockAt: capsuleRecipients.unlockAt })
    .from(capsuleRecipients)
    .where(eq(capsuleRecipients.userId, userId))
    .orderBy(capsuleRecipients.unlockAt, capsuleRecipients.capsuleId);
  const byId = new Map([...created, ...received].map((opening) => [opening.id, opening]));
  return [...byId.values()].sort((one, other) => Number(one.unlockAt) - Number(other.unlockAt));
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

/** The order of each view. The columns are those of a list's ids and of the capsules themselves. */
const ORDERS: Record<CapsuleView, SQL> = {
  newest: sql`created_at desc, id desc`,
  opening: sql`unlock_at, id`,
  sealed: sql`unlock_at, id`,
  ready: sql`unlock_at desc, id desc`,
  opened: sql`unlock_at desc, id desc`,
};

/** The ids of a list, without their order; all of it is in an index. */
function idsOf({ type, view, hidden }: ListOf, user: unknown, now: unknown): SQL {
  const own =
    type === 'created'
      ? sql`select id, created_at, unlock_at from capsules where creator_id = ${user}`
      : sql`select capsule_id as id, created_at, unlock_at from capsule_recipients
          where user_id = ${user} and ${hidden ? sql`hidden` : sql`capsule_id not in ${hiddenFrom(user)}`}`;
  const ready = sql`(select capsule_id from capsule_recipients where user_id = ${user}
    and unlock_at <= ${now} and ${isUnseen({ seenAt: sql`seen_at`, unlockAt: sql`unlock_at` })})`;
  const shown = {
    newest: sql``,
    opening: sql``,
    sealed: sql`where unlock_at > ${now}`,
    ready: sql`where unlock_at <= ${now} and id in ${ready}`,
    opened: sql`where unlock_at <= ${now} and id not in ${ready}`,
  };
  return sql`select id, created_at, unlock_at from (${own}) own ${shown[view]}`;
}

type Pages = ReturnType<ReturnType<typeof preparedPages>>;
const pages = new Map<string, (db: Queryable) => Pages>();

/** The queries of a list without a search. */
function pagesOf(list: ListOf): (db: Queryable) => Pages {
  const name = `${list.type}_${list.view}${list.hidden ? '_hidden' : ''}`;
  const made = pages.get(name) ?? preparedPages(list, name);
  pages.set(name, made);
  return made;
}

/**
 * The ids of a page are found in an index alone, so that the last page does not read the rows of
 * all pages before it.
 */
function preparedPages(list: ListOf, name: string) {
  const ids = idsOf(list, USER, NOW);
  const page = sql`(select id, row_number() over () as place from (
      ${ids} order by ${ORDERS[list.view]} offset ${OFFSET} limit ${LIMIT}) ordered) page`;
  return prepared((db) => ({
    rows: db
      .select(OUTSIDE_COLUMNS)
      .from(capsules)
      .innerJoin(page, sql`page.id = ${capsules.id}`)
      .leftJoin(users, eq(users.id, capsules.creatorId))
      .orderBy(sql`page.place`)
      .prepare(`${name}_page`),
    total: db.select({ total: count() }).from(sql`(${ids}) list`).prepare(`${name}_total`),
  }));
}

/**
 * A page of the capsules that match `text` by title, description, sender or recipients, and their
 * number. The message is not searched, because it may be locked.
 *
 * All capsules of the list are read, once. The people of a capsule are looked up one by one: as a
 * join, PostgreSQL reads the people of all capsules there are.
 */
async function searchCapsules(
  db: Queryable,
  userId: string,
  list: ListOf,
  text: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ ids: string[]; total: number }> {
  const pattern = containsPattern(text);
  const senderId = list.type === 'created' ? sql`${userId}` : sql`c.creator_id`;
  const now = sql`${list.now.toISOString()}::timestamptz`;
  const [row] = await db.execute<{ ids: string[]; total: number }>(sql`
    with found as materialized (
      select id, created_at, unlock_at from capsules c
      where id in (select id from (${idsOf(list, userId, now)}) list) and (
        title ilike ${pattern} or description ilike ${pattern}
        or departed_creator ilike ${pattern}
        or (select u.name ilike ${pattern} or u.email ilike ${pattern}
          from users u where u.id = ${senderId})
        or (select bool_or(u.name ilike ${pattern} or u.email ilike ${pattern})
          from capsule_recipients r join users u on u.id = r.user_id where r.capsule_id = c.id))
    )
    select (select count(*)::int from found) as total,
      array(select id from found order by ${ORDERS[list.view]}
        offset ${offset} limit ${limit}) as ids`);
  return row ?? { ids: [], total: 0 };
}
