import { and, asc, count, desc, eq, inArray, lt, or, sql } from 'drizzle-orm';
import { addressHashOf } from '../address-hash.ts';
import { became, type State } from '../emails/became.ts';
import { containsPattern } from '../like.ts';
import type { Queryable } from '../open.ts';
import { capsuleRecipients, emails, isUnseen, users } from '../schema.ts';

/** What an operator asks about an instance. These read whole tables, and are for commands only. */

/** Emails that did not arrive, or were tried in vain so far; the newest first. */
export function findTroubledEmails(db: Queryable) {
  const what = became(db);
  const { id, kind, userId, createdAt } = emails;
  const troubled: State[] = ['failed', 'unknown', 'bounced', 'complained'];
  return db
    .select({
      ...{ id, kind, createdAt, state: what.state, attempts: what.attempts, reason: what.reason },
      to: sql<string>`coalesce(${what.address}, ${emails.toAddress}, ${users.email}, '')`,
    })
    .from(emails)
    .leftJoin(users, eq(users.id, userId))
    .innerJoinLateral(what, sql`true`)
    .where(
      or(
        inArray(what.state, troubled),
        and(eq(what.state, 'queued'), sql`${what.reason} is not null`),
      ),
    )
    .orderBy(desc(createdAt));
}

/**
 * People who have not looked at what opened for them before `openedBefore`, those first who have
 * waited longest. Our emails may not reach them.
 */
export function findUnreached(db: Queryable, openedBefore: Date) {
  /** When the first of them opened. */
  const since = sql<Date>`min(${capsuleRecipients.unlockAt})`.mapWith(capsuleRecipients.unlockAt);
  return db
    .select({ name: users.name, email: users.email, capsules: count(), since })
    .from(capsuleRecipients)
    .innerJoin(users, eq(users.id, capsuleRecipients.userId))
    .where(
      and(
        lt(capsuleRecipients.unlockAt, openedBefore),
        eq(capsuleRecipients.hidden, false),
        isUnseen(capsuleRecipients),
      ),
    )
    .groupBy(users.id)
    .orderBy(asc(since));
}

/** People whose name, main address or second address contains the text, or whose state it is. */
export function findPeople(db: Queryable, text: string) {
  const pattern = containsPattern(text.toLowerCase());
  const state = sql<'confirmed' | 'unconfirmed' | 'let in' | 'invited' | 'suspended'>`case
    when ${users.passwordHash} is null and ${users.admittedAt} is not null then 'let in'
    when ${users.passwordHash} is null then 'invited'
    when ${users.suspendedAt} is not null then 'suspended'
    when ${users.emailVerifiedAt} is null then 'unconfirmed' else 'confirmed' end`;
  const names = [sql`lower(${users.name})`, users.email, users.secondEmail];
  return db
    .select({
      name: users.name,
      email: users.email,
      state,
      joined: users.createdAt,
      sessions: sql`(select count(*) from sessions s where s.user_id = users.id)`.mapWith(Number),
      sealed: sql`(select count(*) from capsules c where c.creator_id = users.id)`.mapWith(Number),
      /** When an operator's order deletes them. */
      deletedOn: users.deletionDueAt,
      bouncedSince: users.emailBouncedAt,
      secondEmail: users.secondEmail,
      id: users.id,
      /** What the log calls the account where a visitor's call was about it. */
      inLog: sql<string>`left(${addressHashOf(users.email)}, 12)`,
    })
    .from(users)
    .where(or(...names.map((name) => sql`${name} like ${pattern}`), sql`${state} = ${text}`))
    .orderBy(users.email);
}

/** So many people are listed, those who use most. */
const DISK_ROWS_MAX = 1_000;

/**
 * How many bytes of files each person keeps on the disk, the most first: those of their capsules, also
 * in the bin, and of unfinished uploads. What people have left who are gone is one row without a name.
 */
export async function findDiskUse(db: Queryable) {
  const rows = await db.execute<{ name: string | null; email: string | null; bytes: string }>(sql`
    with kept as (
      select coalesce(c.creator_id, b.owner_id) as id, c.total_bytes as bytes
        from capsules c left join binned_capsules b on b.capsule_id = c.id
      union all
      select user_id, received from uploads
    ), by_person as (
      select id, sum(bytes) as bytes from kept group by id
    )
    select u.name, u.email, p.bytes from by_person p left join users u on u.id = p.id
      where p.bytes > 0 order by p.bytes desc, u.email limit ${DISK_ROWS_MAX}`);
  return rows.map(({ name, email, bytes }) => ({ name, email, bytes: Number(bytes) }));
}
