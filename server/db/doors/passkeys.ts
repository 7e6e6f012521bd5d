import { and, asc, eq, exists, gt, gte, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { ENDED_PASSWORD } from '../accounts/users.ts';
import type { Queryable } from '../open.ts';
import { anyRow } from '../rows.ts';
import { identities, passkeys, recoveryCodes, usedChallenges, users } from '../schema.ts';

export type PasskeyRow = typeof passkeys.$inferSelect;

/** The passkeys of a person, in the order in which they were added. */
export function findPasskeys(db: Queryable, userId: string): Promise<PasskeyRow[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

export function findPasskeyByCredential(db: Queryable, credentialId: string) {
  return findOne(db, eq(passkeys.credentialId, credentialId));
}

export function findPasskey(db: Queryable, id: string): Promise<PasskeyRow | undefined> {
  return findOne(db, eq(passkeys.id, id));
}

async function findOne(db: Queryable, condition: SQL): Promise<PasskeyRow | undefined> {
  const [row] = await db.select().from(passkeys).where(condition);
  return row;
}

/** @returns false if the credential is somebody's already */
export async function insertPasskey(tx: Queryable, row: PasskeyRow): Promise<boolean> {
  const changed = await tx
    .insert(passkeys)
    .values(row)
    .onConflictDoNothing({ target: passkeys.credentialId });
  return changed.count > 0;
}

/** That a passkey has answered a challenge. */
export interface PasskeyUse {
  id: string;
  challenge: { id: string; expiresAt: Date };
  counter: number;
  isBackedUp: boolean;
  day: string;
}

/**
 * Notes that a passkey was used. A counter that went back changes nothing. @returns false if its
 * challenge was answered before, or it has been removed meanwhile
 */
export async function notePasskeyUse(
  db: Queryable,
  { id, challenge, counter, isBackedUp, day }: PasskeyUse,
): Promise<boolean> {
  if (!(await takeChallenge(db, challenge))) return false;
  const changed = await db
    .update(passkeys)
    .set({
      counter: sql`greatest(${passkeys.counter}, ${counter}::bigint)`,
      isBackedUp,
      lastUsedOn: day,
    })
    .where(eq(passkeys.id, id));
  return changed.count > 0;
}

/** @returns whether this person had it */
export async function deletePasskey(
  tx: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const changed = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)));
  return changed.count > 0;
}

/** What of an account is still new, so that somebody else may have added it. */
export interface NewKeys {
  /** Passkeys that were added from then on. */
  passkeysSince: Date;
  /** Identities that are not settled by then. */
  identitiesAt: Date;
  /** Where there are no passwords, the identity that made the account stays: nothing else lets its owner in. */
  passwordsOff: boolean;
}

/**
 * Deletes what somebody else may have made who was in the account: recovery codes, passkeys and
 * identities. @param keys only these of the last two @param codesSince only codes that were made from then on
 */
export async function deleteOthersKeys(
  tx: Queryable,
  userId: string,
  keys?: NewKeys,
  codesSince?: Date,
): Promise<void> {
  const isNewCode = codesSince && gte(recoveryCodes.createdAt, codesSince);
  const isTheirs = and(eq(recoveryCodes.userId, userId), isNewCode);
  const codes = tx.$with('codes').as(tx.delete(recoveryCodes).where(isTheirs).returning());
  const isNew = keys && gte(passkeys.createdAt, keys.passkeysSince);
  await tx
    .with(codes, deletionOfIdentities(tx, userId, keys))
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), isNew));
}

/** Where there is no password, all but the new ones stay: the account was made by one. */
function deletionOfIdentities(tx: Queryable, userId: string, keys?: NewKeys) {
  const { settledAt } = identities;
  const hasPassword = anyRow(
    tx,
    users,
    and(eq(users.id, userId), ne(users.passwordHash, ENDED_PASSWORD)),
  );
  const isDeleted = keys
    ? or(keys.passwordsOff ? undefined : isNull(settledAt), gt(settledAt, keys.identitiesAt))
    : exists(hasPassword);
  return tx.$with('unlinked').as(
    tx
      .delete(identities)
      .where(and(eq(identities.userId, userId), isDeleted))
      .returning(),
  );
}

/** Notes that a challenge was answered. @returns false for the second time, on whichever server */
export async function takeChallenge(
  tx: Queryable,
  challenge: PasskeyUse['challenge'],
): Promise<boolean> {
  const changed = await tx.insert(usedChallenges).values(challenge).onConflictDoNothing();
  return changed.count > 0;
}

/** Expired ones are refused anyway. */
export async function deleteUsedChallenges(db: Queryable, now: Date): Promise<void> {
  await db.delete(usedChallenges).where(lte(usedChallenges.expiresAt, now));
}
