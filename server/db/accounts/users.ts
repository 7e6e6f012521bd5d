import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { prepared } from '../prepared.ts';
import { accountChanges, users } from '../schema.ts';

export type UserRow = typeof users.$inferSelect;

/**
 * Stored in place of a hash where there is an account and no password: it was ended, or its owner has
 * only ever signed in by the identity provider.
 */
export const ENDED_PASSWORD = 'ended';

/** The columns other people may see. */
export const PUBLIC_COLUMNS = {
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
 * @param inviterId for instance the creator of a capsule, where `capsules` is joined
 */
export const nameFor = (inviterId: unknown, person = sql`users`): SQL<string> =>
  sql`coalesce(${calledBy(inviterId, person)}, ${person}.name)`;

/**
 * What this inviter calls somebody. Null if they have given no name, or if the person has made
 * their account by an invitation link. An unconfirmed account changes nothing: a stranger may have
 * registered it.
 */
function calledBy(inviterId: unknown, person: SQL): SQL {
  return sql`(select i.name from invitations i join users p on p.id = i.user_id
    where i.user_id = ${person}.id and i.inviter_id = ${inviterId} and (p.password_hash is null
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

export async function findUserById(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row;
}

export type OwnRow = PublicUserRow &
  Pick<UserRow, 'emailBouncedAt'> & {
    /** Null without a pending password. */
    passwordTakesEffectAt: Date | null;
    hasNoPassword: boolean;
  };

/** An account as its owner sees it. */
export async function findOwn(db: Queryable, id: string): Promise<OwnRow | undefined> {
  const [row] = await db
    .select({
      ...PUBLIC_COLUMNS,
      emailBouncedAt: users.emailBouncedAt,
      passwordTakesEffectAt: accountChanges.takesEffectAt,
      hasNoPassword: sql<boolean>`${users.passwordHash} = ${ENDED_PASSWORD}`,
    })
    .from(users)
    .leftJoin(
      accountChanges,
      and(eq(accountChanges.userId, users.id), eq(accountChanges.slot, 'password')),
    )
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
    .select({
      id: users.id,
      email: users.email,
      name: nameFor(sql.placeholder('inviterId')),
      isAccount: isAccount(),
    })
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

/** Begins the first round of known devices: somebody signs in to the account for the first time. */
export async function beginDevices(
  db: Queryable,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  const isTheirs = and(eq(users.id, userId), eq(users.passwordHash, passwordHash));
  await db
    .update(users)
    .set({ deviceRound: 1 })
    .where(and(isTheirs, eq(users.deviceRound, 0)));
}

/** Makes every known device of an account unknown. Where nobody has signed in, there is none. */
export async function forgetDevices(tx: Queryable, userId: string): Promise<void> {
  await tx
    .update(users)
    .set({ deviceRound: sql`${users.deviceRound} + 1` })
    .where(and(eq(users.id, userId), gt(users.deviceRound, 0)));
}

/** @param tx the transaction in which a round has just begun, so that it is not a later one */
export async function findDeviceRound(tx: Queryable, userId: string): Promise<number> {
  const [row] = await tx
    .select({ deviceRound: users.deviceRound })
    .from(users)
    .where(eq(users.id, userId));
  return row?.deviceRound ?? 0;
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
  passkeyAskedSince: users.passkeyAskedSince,
  passkeyAskedAtHost: users.passkeyAskedAtHost,
};
/**
 * An account with what decides who has a say in it: its addresses, whether the main one is confirmed,
 * and whether new devices need a passkey.
 */
export type Account = Pick<UserRow, keyof typeof ACCOUNT_COLUMNS>;

/** Whose known devices a mark is for, and in which round. */
export type DeviceOwner = Pick<UserRow, 'id' | 'deviceRound'>;

const FOUND_COLUMNS = {
  ...PUBLIC_COLUMNS,
  ...ACCOUNT_COLUMNS,
  deviceRound: users.deviceRound,
  suspendedAt: users.suspendedAt,
  storageLimitMB: users.storageLimitMB,
  capsulesADay: users.capsulesADay,
  deletionDueAt: users.deletionDueAt,
  deletionCapsules: users.deletionCapsules,
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
