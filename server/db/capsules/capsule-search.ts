import { type SQL, sql } from 'drizzle-orm';
import { containsPattern } from '../like.ts';
import type { Queryable } from '../open.ts';
import { CAPSULE_TEXTS } from '../schema.ts';
import { idsOf, type ListOf, ORDERS } from './capsule-lists.ts';

interface Page {
  offset: number;
  limit: number;
}

/** A search in a list: the ids of its capsules without their order, and what to look for. */
interface Search {
  userId: string;
  type: ListOf['type'];
  ids: SQL;
  pattern: string;
}

/**
 * A page of the capsules that match `text` by title, description, sender or recipients, and their
 * number. The message is not searched, because it may be locked.
 * @param list.length how many capsules the list has without a search
 */
export function searchCapsules(
  db: Queryable,
  userId: string,
  list: ListOf & { text: string; length: number },
  page: Page,
): Promise<{ ids: string[]; total: number }> {
  const ids = idsOf(list, userId, sql`${list.now.toISOString()}::timestamptz`);
  const search = { userId, type: list.type, ids, pattern: containsPattern(list.text) };
  if (list.length <= ONE_BY_ONE_MAX || !HAS_TRIGRAMS.test(list.text)) {
    return readPage(db, list, foundOneByOne(search), page);
  }
  return db.transaction(async (tx) => {
    // The best plan depends on the text: without this, it may be made for any text.
    await tx.execute(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`);
    return readPage(tx, list, foundByIndexes(search), page);
  });
}

/** Looking at so many capsules is quicker than asking what matches anywhere, however many there are. */
const ONE_BY_ONE_MAX = 1_000;

/** Fewer letters in a row are in no index. */
const HAS_TRIGRAMS = /[\p{L}\p{N}]{3}/u;

async function readPage(
  db: Queryable,
  { view }: ListOf,
  found: SQL,
  { offset, limit }: Page,
): Promise<{ ids: string[]; total: number }> {
  const [row] = await db.execute<{ ids: string[]; total: number }>(sql`
    with found as materialized (${found})
    select (select count(*)::int from found) as total,
      array(select id from found order by ${ORDERS[view]} offset ${offset} limit ${limit}) as ids`);
  return row ?? { ids: [], total: 0 };
}

/**
 * All capsules of the list are read, once. The people of a capsule are looked up one by one: as a
 * join, PostgreSQL reads the people of all capsules there are.
 */
function foundOneByOne({ userId, type, ids, pattern }: Search): SQL {
  const senderId = type === 'created' ? sql`${userId}` : sql`c.creator_id`;
  return sql`select id, created_at, unlock_at from capsules c
    where id in (select id from (${ids}) list) and (
      ${CAPSULE_TEXTS} ilike ${pattern}
      or (select ${isNamed(pattern)} from users u where u.id = ${senderId})
      or (select bool_or(${isNamed(pattern)})
        from capsule_recipients r join users u on u.id = r.user_id where r.capsule_id = c.id))`;
}

/**
 * PostgreSQL begins with what is rarer: the capsules of the list, or whatever matches in the
 * trigram indexes of texts and people.
 */
function foundByIndexes({ userId, type, ids, pattern }: Search): SQL {
  const sender =
    type === 'created'
      ? sql`from own where exists (select from users u where u.id = ${userId} and (${isNamed(pattern)}))`
      : sql`from own join capsules c on c.id = own.id join users u on u.id = c.creator_id
          where ${isNamed(pattern)}`;
  return sql`
    with own as not materialized (${ids})
    select own.* from own join capsules c on c.id = own.id where ${CAPSULE_TEXTS} ilike ${pattern}
    union
    select own.* ${sender}
    union
    select own.* from own join capsule_recipients r on r.capsule_id = own.id
      join users u on u.id = r.user_id where ${isNamed(pattern)}`;
}

/** As the indexes have it. */
const isNamed = (pattern: string) =>
  sql`lower(u.name) like lower(${pattern}) or u.email ilike ${pattern}`;
