import { and, eq, inArray, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { containsPattern } from './like.ts';
import type { Queryable } from './open.ts';
import { users } from './schema.ts';

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

/** The registered people among `emails`, in any order. @param emails must not be empty */
export function findUsersByEmail(db: Queryable, emails: string[], { isVerified = false } = {}) {
  return db
    .select({ id: users.id, email: users.email, name: users.name })
    .from(users)
    .where(and(inArray(users.email, emails), onlyVerified(isVerified)));
}

function onlyVerified(isVerified: boolean): SQL | undefined {
  return isVerified ? isNotNull(users.emailVerifiedAt) : undefined;
}

/**
 * As `findUsersByEmail`, and locks the rows, so that none of these accounts is deleted before the
 * transaction ends.
 */
export function lockUsersByEmail(tx: Queryable, emails: string[], which: { isVerified: boolean }) {
  return findUsersByEmail(tx, emails, which).for('key share');
}

/** People whose name or address contains `text`, nearest name first. Both arms have a trigram index. */
export function searchUsers(
  db: Queryable,
  text: string,
  {
    limit,
    exceptId,
    isVerified = false,
  }: { limit: number; exceptId?: string; isVerified?: boolean },
) {
  const matches = or(
    // Lowered by the database on both sides: JavaScript treats a Turkish İ or a final Σ
    // differently.
    sql`lower(${users.name}) like lower(${containsPattern(text)})`,
    // Addresses are stored as lowered by JavaScript.
    sql`${users.email} like ${containsPattern(text.toLowerCase())}`,
  );
  return db
    .select(PUBLIC_COLUMNS)
    .from(users)
    .where(and(matches, exceptId ? ne(users.id, exceptId) : undefined, onlyVerified(isVerified)))
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
 * Locks the person, so that their seals run one after another. The lock does not block people who
 * send them a capsule: two people sealing for each other would deadlock. @returns false if there
 * is no such person
 */
export async function lockUser(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update');
  return rows.length === 1;
}
