import { and, eq, isNull, ne, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { normalizeEmail } from '../../../shared/api/fields.ts';
import { literalPattern } from '../like.ts';
import type { Queryable } from '../open.ts';
import { prepared } from '../prepared.ts';
import { accountChanges, users } from '../schema.ts';

export type UserRow = typeof users.$inferSelect;

/** The columns other people may see. */
const PUBLIC_COLUMNS = {
  id: users.id,
  name: users.name,
  email: users.email,
  bio: users.bio,
  avatarKey: users.avatarKey,
  createdAt: users.createdAt,
};
export type PublicUserRow = Pick<UserRow, keyof typeof PUBLIC_COLUMNS>;

/** Whether somebody has registered: the row of an invited person has no password. */
export function hasPassword(): SQL<boolean> {
  return sql`(${users.passwordHash} is not null)`;
}

/**
 * Whether a row of `users` is an account. Where addresses have to be confirmed, only a confirmed one
 * is: whoever has registered with an address may not be its owner.
 */
export function isAccount(): SQL<boolean> {
  const confirms = sql`exists (select 1 from server_state where confirms_addresses)`;
  return sql`(${hasPassword()} and (${users.emailVerifiedAt} is not null or not ${confirms}))`;
}

/** For what still binds the configuration itself. */
export interface AccountCondition {
  isVerified: boolean;
}

/** `isAccount` with a condition of its own; without one, `hasPassword`. */
export function hasAccount({ isVerified }: Partial<AccountCondition> = {}): SQL<boolean> {
  return isVerified
    ? sql`(${users.passwordHash} is not null and ${users.emailVerifiedAt} is not null)`
    : hasPassword();
}

/**
 * Whether somebody has invited this person, so that capsules can be addressed to them without an
 * account.
 */
export function isInvited(): SQL<boolean> {
  // Written as text: in a query of one table, drizzle leaves the name of the table away.
  return sql`(exists (select 1 from invitations i where i.user_id = users.id))`;
}

/**
 * A person's name as this inviter sees it: what they call them, until the person has an account.
 */
export function nameFor(inviterId: unknown): SQL<string> {
  const called = calledBy({ inviterId: sql`${inviterId}`, userId: sql`users.id` });
  return sql`coalesce(${called}, users.name)`;
}

/** The same for the creator of a capsule, where `capsules` is joined. */
export function nameForCreator(): SQL<string> {
  const called = calledBy({ inviterId: sql`capsules.creator_id`, userId: sql`users.id` });
  return sql`coalesce(${called}, users.name)`;
}

/**
 * What this inviter calls somebody. Null if they have given no name, or if the person has made
 * their account by an invitation link. An unconfirmed account changes nothing: a stranger may have
 * registered it.
 */
export function calledBy({
  inviterId,
  userId,
}: {
  inviterId: SQLWrapper;
  userId: SQLWrapper;
}): SQL<string | null> {
  return sql`(select i.name from invitations i join users p on p.id = i.user_id
    where i.user_id = ${userId} and i.inviter_id = ${inviterId} and (p.password_hash is null
      or p.email_verified_at is null
        and exists (select 1 from link_tokens l where l.user_id = p.id
          and l.purpose = 'invitation' and l.sent_to is not null and l.used_at is null))
    limit 1)`;
}

/**
 * Adds an account. If one address registers twice at once, one succeeds. An invited person's row
 * keeps its name, which others see: whoever registers has not shown that the address is theirs.
 * @param mayBeInvited whether an invited person's row may become the account
 * @returns its id; null if the address has an account, or an invitation that may not be taken
 */
export async function addAccount(
  tx: Queryable,
  row: typeof users.$inferInsert,
  { mayBeInvited }: { mayBeInvited: boolean },
): Promise<string | null> {
  const { passwordHash, createdAt } = row;
  const [added] = await tx
    .insert(users)
    .values(row)
    .onConflictDoUpdate({
      target: users.email,
      set: { passwordHash, createdAt },
      setWhere: mayBeInvited ? isNull(users.passwordHash) : sql`false`,
    })
    .returning({ id: users.id });
  return added?.id ?? null;
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row;
}

export type OwnRow = PublicUserRow &
  Pick<UserRow, 'emailBouncedAt'> & {
    /** Null without a pending password. */
    passwordTakesEffectAt: Date | null;
  };

/** An account as its owner sees it. */
export async function findOwn(db: Queryable, id: string): Promise<OwnRow | undefined> {
  const [row] = await db
    .select({
      ...PUBLIC_COLUMNS,
      emailBouncedAt: users.emailBouncedAt,
      passwordTakesEffectAt: accountChanges.takesEffectAt,
    })
    .from(users)
    .leftJoin(
      accountChanges,
      and(eq(accountChanges.userId, users.id), eq(accountChanges.slot, 'password')),
    )
    .where(and(eq(users.id, id), hasPassword()));
  return row;
}

/** Somebody who has registered. */
export async function findUser(db: Queryable, id: string): Promise<PublicUserRow | undefined> {
  const [row] = await db
    .select(PUBLIC_COLUMNS)
    .from(users)
    .where(and(eq(users.id, id), hasPassword()));
  return row;
}

/** Somebody whom others may see. */
export async function findPublicUser(
  db: Queryable,
  id: string,
): Promise<PublicUserRow | undefined> {
  const [row] = await db
    .select(PUBLIC_COLUMNS)
    .from(users)
    .where(and(eq(users.id, id), isAccount()));
  return row;
}

export async function findPasswordHash(
  db: Queryable,
  id: string,
): Promise<string | null | undefined> {
  const [row] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, id));
  return row?.passwordHash;
}

/**
 * The registered and invited people among `emails`, in any order, as `inviterId` calls them.
 * @param emails must not be empty
 */
export function findUsersByEmail(db: Queryable, emails: string[], inviterId: string) {
  return usersByEmail(db).execute({ emails, inviterId });
}

const usersByEmail = prepared((db) =>
  db
    .select({ id: users.id, email: users.email, name: nameFor(sql.placeholder('inviterId')) })
    .from(users)
    .where(
      and(
        // Compared with a subquery: with so many values in the parameter itself, PostgreSQL would
        // plan each call anew.
        sql`${users.email} = any(array(select unnest(${sql.placeholder('emails')}::text[])))`,
        or(isAccount(), isInvited()),
      ),
    )
    .prepare('users_by_email'),
);

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

export async function updateUser(
  db: Queryable,
  id: string,
  change: Partial<Omit<UserRow, 'id' | 'email'>>,
): Promise<UserRow | undefined> {
  const [row] = await db.update(users).set(change).where(eq(users.id, id)).returning();
  return row;
}

export const ACCOUNT_COLUMNS = {
  id: users.id,
  name: users.name,
  email: users.email,
  secondEmail: users.secondEmail,
  emailVerifiedAt: users.emailVerifiedAt,
};
/**
 * An account with what decides who has a say in it: its addresses, and whether the main one is
 * confirmed.
 */
export type Account = Pick<UserRow, keyof typeof ACCOUNT_COLUMNS>;

const FOUND_COLUMNS = {
  ...ACCOUNT_COLUMNS,
  suspendedAt: users.suspendedAt,
  storageLimitMB: users.storageLimitMB,
  capsulesADay: users.capsulesADay,
};
/** With what an operator has decided about it. */
export type FoundAccount = Pick<UserRow, keyof typeof FOUND_COLUMNS>;

/** Without locking it. Undefined for somebody who is only invited. */
export async function findAccount(db: Queryable, id: string): Promise<FoundAccount | undefined> {
  const [row] = await db
    .select(FOUND_COLUMNS)
    .from(users)
    .where(and(eq(users.id, id), hasPassword()));
  return row;
}

/**
 * Locks a person. Their seals and all changes of their account take turns by this lock. It does not
 * block others who send them a capsule: two people who seal for each other would wait for each
 * other.
 * @param passwordHash what a password was compared with before
 * @returns undefined if there is no such person, or if they have another password by now
 */
export async function lockUser(
  tx: Queryable,
  id: string,
  passwordHash?: string,
): Promise<FoundAccount | undefined> {
  const isSame = passwordHash === undefined ? undefined : eq(users.passwordHash, passwordHash);
  const [row] = await tx
    .select(FOUND_COLUMNS)
    .from(users)
    .where(and(eq(users.id, id), isSame))
    .for('no key update');
  return row;
}
