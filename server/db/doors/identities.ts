import { and, eq, gt, type SQL } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { identities, sessions } from '../schema.ts';

export type IdentityRow = typeof identities.$inferSelect;

/** Whose identity this is at the provider. */
export function findIdentity(
  db: Queryable,
  { issuer, subject }: Pick<IdentityRow, 'issuer' | 'subject'>,
): Promise<IdentityRow | undefined> {
  return findOne(db, and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
}

/** The identity of a person at this provider. */
export function findIdentityOf(
  db: Queryable,
  userId: string,
  issuer: string,
): Promise<IdentityRow | undefined> {
  return findOne(db, and(eq(identities.userId, userId), eq(identities.issuer, issuer)));
}

export function findIdentityById(db: Queryable, id: string): Promise<IdentityRow | undefined> {
  return findOne(db, eq(identities.id, id));
}

/** Whether an identity at any provider is this person's. */
export async function hasIdentity(db: Queryable, userId: string): Promise<boolean> {
  return (await db.$count(identities, eq(identities.userId, userId))) > 0;
}

async function findOne(db: Queryable, condition: SQL | undefined) {
  const [row] = await db.select().from(identities).where(condition);
  return row;
}

/** @returns false if it is somebody's already, or they have another one of this provider */
export async function insertIdentity(tx: Queryable, row: IdentityRow): Promise<boolean> {
  const changed = await tx.insert(identities).values(row).onConflictDoNothing();
  return changed.count > 0;
}

/** @returns false if it was unlinked meanwhile */
export async function noteIdentityUse(
  tx: Queryable,
  { id, day }: { id: string; day: string },
): Promise<boolean> {
  const changed = await tx.update(identities).set({ lastUsedOn: day }).where(eq(identities.id, id));
  return changed.count > 0;
}

/** @returns whether there was one */
export async function deleteIdentity(
  tx: Queryable,
  { id }: Pick<IdentityRow, 'id'>,
): Promise<boolean> {
  const changed = await tx.delete(identities).where(eq(identities.id, id));
  return changed.count > 0;
}

/** Deletes all of a person's: somebody else may have made the account by one. */
export async function deleteIdentities(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(identities).where(eq(identities.userId, userId));
}

/** Notes that whoever has this session was confirmed by the provider. */
export async function setConfirmed(db: Queryable, id: string, confirmedUntil: Date): Promise<void> {
  await db.update(sessions).set({ confirmedUntil }).where(eq(sessions.id, id));
}

/** @returns until when it counts; undefined without one */
export async function findConfirmation(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<Date | null | undefined> {
  const { confirmedUntil } = sessions;
  const [row] = await db.select({ confirmedUntil }).from(sessions).where(isLive(sessionId, now));
  return row?.confirmedUntil;
}

/** Uses it up. @returns whether there was one */
export async function takeConfirmation(
  db: Queryable,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const changed = await db
    .update(sessions)
    .set({ confirmedUntil: null })
    .where(isLive(sessionId, now));
  return changed.count > 0;
}

const isLive = (sessionId: string, now: Date) =>
  and(eq(sessions.id, sessionId), gt(sessions.confirmedUntil, now));
