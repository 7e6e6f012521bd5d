import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { containsPattern } from './like.ts';
import type { Queryable } from './open.ts';
import { users } from './schema.ts';

export type UserRow = typeof users.$inferSelect;

/** What may leave the database for someone else to see. */
const PUBLIC_COLUMNS = {
  id: users.id,
  name: users.name,
  email: users.email,
  bio: users.bio,
  avatarKey: users.avatarKey,
  createdAt: users.createdAt,
};
export type PublicUserRow = Pick<UserRow, keyof typeof PUBLIC_COLUMNS>;

export function insertUser(db: Queryable, row: typeof users.$inferInsert) {
  return db.insert(users).values(row);
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row;
}

export async function findUser(db: Queryable, id: string): Promise<PublicUserRow | undefined> {
  const [row] = await db.select(PUBLIC_COLUMNS).from(users).where(eq(users.id, id));
  return row;
}

export async function findPasswordHash(db: Queryable, id: string): Promise<string | undefined> {
  const [row] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, id));
  return row?.passwordHash;
}

/** Rows for those of `emails` that are registered, in no order. @param emails not empty. */
export function findUsersByEmail(db: Queryable, emails: string[]) {
  return db
    .select({ id: users.id, email: users.email, name: users.name })
    .from(users)
    .where(inArray(users.email, emails));
}

/** As `findUsersByEmail`, and none of them can leave until the transaction ends. */
export function holdUsersByEmail(tx: Queryable, emails: string[]) {
  return findUsersByEmail(tx, emails).for('key share');
}

/** People whose name or address contains `text`, nearest name first. Both arms have a trigram index. */
export function searchUsers(db: Queryable, text: string, limit: number, exceptId?: string) {
  const matches = or(
    // Both by the same rules: JavaScript's for a Turkish İ or a final Σ are others.
    sql`lower(${users.name}) like lower(${containsPattern(text)})`,
    // Kept as JavaScript has lowered it.
    sql`${users.email} like ${containsPattern(text.toLowerCase())}`,
  );
  return db
    .select(PUBLIC_COLUMNS)
    .from(users)
    .where(exceptId === undefined ? matches : and(matches, ne(users.id, exceptId)))
    .orderBy(users.name, users.id)
    .limit(limit);
}

export async function updateUser(
  db: Queryable,
  id: string,
  change: Partial<Pick<UserRow, 'name' | 'bio' | 'avatarKey' | 'passwordHash' | 'emailVerifiedAt'>>,
): Promise<UserRow | undefined> {
  const [row] = await db.update(users).set(change).where(eq(users.id, id)).returning();
  return row;
}

/**
 * Holds every other writer of this person's capsules back until the transaction ends, but nobody
 * who sends them one: two who seal for each other would wait for each other.
 * @returns false when there is no such person.
 */
export async function lockUser(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update');
  return rows.length === 1;
}
