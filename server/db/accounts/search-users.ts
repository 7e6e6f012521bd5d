import { and, eq, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { normalizeEmail } from '../../../shared/api/fields.ts';
import { literalPattern } from '../like.ts';
import type { Queryable } from '../open.ts';
import { users } from '../schema.ts';
import { isAccount, nameFor, PUBLIC_COLUMNS } from './users.ts';

/** Owns how people are found by a part of their name or address. */

/**
 * A text of this length is also found in the middle of a word. The index looks up three characters
 * at once.
 */
const WITHIN_WORDS_MIN = 3;
/** What a word can begin with. */
const BEGINS_A_WORD = /^[\p{L}\p{N}]/u;
/** Scripts whose words are not separated, so that every character may begin one. */
const WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
/** The last character of all, in the order of the index. */
const LAST_CHARACTER = '\u{10FFFF}';

/**
 * People whose name or address contains `text`, in the order of names. A text of one or two
 * characters has to be at the beginning of an address, or of a word of a name. If more than `limit`
 * people match, the one with exactly this address is found first, and next those whose name begins
 * with the text. An index has them in order, so that the cost of a search does not grow with the
 * number of people. People without an account are found only by those who have invited them.
 */
export function searchUsers(
  db: Queryable,
  text: string,
  {
    limit,
    exceptId,
    invitedBy,
    seenBy,
  }: {
    limit: number;
    exceptId?: string;
    invitedBy?: string;
    /** Whom they have blocked, or who has blocked them, is not found. */
    seenBy?: string;
  },
) {
  // Lowered by the database on both sides: JavaScript treats a Turkish İ or a final Σ differently.
  const name = sql`lower(${users.name}) collate "C"`;
  const isFirst = sql`(${name} >= lower(${text}) and ${name} < lower(${text}) || ${LAST_CHARACTER})`;
  const address = normalizeEmail(text);
  const invited = sql`(select user_id from invitations where inviter_id = ${invitedBy})`;
  const isFound = and(
    exceptId ? ne(users.id, exceptId) : undefined,
    seenBy ? not(isKeptApart(seenBy)) : undefined,
    or(isAccount(), invitedBy ? sql`${users.id} in ${invited}` : undefined),
  );
  const columns = {
    ...PUBLIC_COLUMNS,
    name: (invitedBy ? nameFor(invitedBy) : sql<string>`users.name`).as('name'),
    emailBouncedAt: users.emailBouncedAt,
    isAccount: isAccount().as('is_account'),
  };
  const exact = db
    .select(columns)
    .from(users)
    .where(and(eq(users.email, address), isFound))
    .limit(1);
  const begin = db
    .select(columns)
    .from(users)
    .where(and(isFirst, ne(users.email, address), isFound))
    .orderBy(name, users.id)
    .limit(limit);
  const others = db
    .select(columns)
    .from(users)
    .where(and(not(isFirst), ne(users.email, address), matches(text), isFound))
    .limit(limit);
  // Invited people whom the inviter calls by that text: few, and found by an index of the own
  // invitations.
  const called = db
    .select(columns)
    .from(users)
    .where(
      and(
        sql`users.password_hash is null and users.id in (select user_id from invitations
          where inviter_id = ${invitedBy ?? null} and lower(name) like lower(${`%${literalPattern(text)}%`}))`,
        not(isFirst),
        ne(users.email, address),
        not(matches(text) ?? sql`false`),
      ),
    )
    .limit(limit);
  // The others are looked for only when too few names begin with the text.
  const found = unionAll(
    db.select().from(exact.as('exact')),
    db.select().from(begin.as('begin')),
    db.select().from(called.as('called')),
    db.select().from(others.as('others')),
  )
    .limit(limit)
    .as('found');
  return db.select().from(found).orderBy(found.name, found.id);
}

/** Whether one of the two has blocked the other. */
function isKeptApart(userId: string): SQL {
  return sql`users.id in (select blocked_id from blocks where user_id = ${userId}
    union all select user_id from blocks where blocked_id = ${userId})`;
}

/** Each of these conditions has a trigram index. */
function matches(text: string): SQL | undefined {
  const nameLike = (pattern: string) => sql`lower(${users.name}) like lower(${pattern})`;
  // Addresses are stored as lowered by JavaScript.
  const emailLike = (pattern: string) => sql`${users.email} like ${pattern.toLowerCase()}`;
  const isLong = [...text].length >= WITHIN_WORDS_MIN || WITHOUT_SPACES.test(text);
  const literal = literalPattern(text);
  if (isLong) return or(nameLike(`%${literal}%`), emailLike(`%${literal}%`));
  if (!BEGINS_A_WORD.test(text)) return sql`false`;
  return or(nameLike(`% ${literal}%`), nameLike(`%-${literal}%`), emailLike(`${literal}%`));
}
