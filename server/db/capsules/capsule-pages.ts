import { and, count, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { CapsuleType } from '../../../shared/api/capsules.ts';
import type { Queryable } from '../open.ts';
import { prepared } from '../prepared.ts';
import { capsuleRecipients, capsules, users } from '../schema.ts';
import { idsOf, type ListOf, ORDERS } from './capsule-lists.ts';
import { searchCapsules } from './capsule-search.ts';
import { blockedFrom, type CapsuleRow, OUTSIDE_COLUMNS } from './capsules.ts';

/** Placeholders of the prepared queries. */
const USER = sql.placeholder('userId');
const NOW = sql`${sql.placeholder('now')}::timestamptz`;
const OFFSET = sql.placeholder('offset');
const LIMIT = sql.placeholder('limit');

/** One page of the capsules a person created or received, with their total number. */
export async function findCapsulePage(
  db: Queryable,
  userId: string,
  list: ListOf,
  page: { offset: number; limit: number },
): Promise<{ rows: CapsuleRow[]; total: number }> {
  const queries = pagesOf(list)(db);
  const values = { userId, now: list.now.toISOString() };
  const count = async () => (await queries.total.execute(values))[0]?.total ?? 0;
  if (!list.text) {
    const [rows, total] = await Promise.all([
      queries.rows.execute({ ...values, ...page }),
      count(),
    ]);
    return { rows, total };
  }
  const searched = { ...list, text: list.text, length: await count() };
  const { ids, total } = await searchCapsules(db, userId, searched, page);
  const rows = ids.length > 0 ? await findCapsules(db, ids) : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total };
}

export type OwnCapsule = Pick<CapsuleRow, 'id' | 'createdAt' | 'unlockAt'>;

/**
 * The ids and times of all capsules a person created or received, put away or not, the first to open
 * first. Nothing that came from somebody they have blocked.
 */
export async function findOwnCapsules(
  db: Queryable,
  userId: string,
): Promise<Record<CapsuleType, OwnCapsule[]>> {
  const { capsuleId, createdAt, unlockAt } = capsuleRecipients;
  const created = await db
    .select({ id: capsules.id, createdAt: capsules.createdAt, unlockAt: capsules.unlockAt })
    .from(capsules)
    .where(eq(capsules.creatorId, userId))
    .orderBy(capsules.unlockAt, capsules.id);
  const received = await db
    .select({ id: capsuleId, createdAt, unlockAt })
    .from(capsuleRecipients)
    .where(and(eq(capsuleRecipients.userId, userId), notInArray(capsuleId, blockedFrom(userId))))
    .orderBy(unlockAt, capsuleId);
  return { created, received };
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
