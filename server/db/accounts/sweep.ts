import { and, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../shared/limits.ts';
import { later } from '../../clock/clock.ts';
import type { Queryable } from '../open.ts';
import { accountChanges, linkTokens, rateLimits, sessions, users } from '../schema.ts';

/** Emails about a change are tried for 30 days, and read it each time. */
const CHANGES_KEPT_DAYS = 31;

/** Deletes sessions, links, counts and changes of addresses that have expired. */
export async function deleteExpired(db: Queryable, now: Date): Promise<void> {
  await db.delete(sessions).where(lte(sessions.expiresAt, now));
  await db.delete(linkTokens).where(lte(linkTokens.expiresAt, now));
  const longAgo = later(now, -CHANGES_KEPT_DAYS * DAY_MS);
  await db
    .delete(accountChanges)
    .where(
      or(
        lte(accountChanges.objectionUntil, longAgo),
        and(lte(accountChanges.confirmUntil, longAgo), isNull(accountChanges.confirmedAt)),
      ),
    );
  await db.delete(rateLimits).where(lte(rateLimits.expire, now));
}

/** Accounts in one transaction. */
const UNCONFIRMED_AT_ONCE = 500;

/**
 * Deletes some accounts that nobody has confirmed and that hold nothing. People who were invited,
 * or for whom something is sealed, stay. @returns how many were deleted
 */
export async function deleteUnconfirmed(db: Queryable, createdBefore: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const isEmpty = and(
      isNotNull(users.passwordHash),
      isNull(users.emailVerifiedAt),
      isNull(users.secondEmail),
      isNull(users.avatarKey),
      lte(users.createdAt, createdBefore),
      ...[
        sql`capsules x where x.creator_id`,
        sql`capsule_recipients x where x.user_id`,
        sql`binned_capsules x where x.owner_id`,
        sql`binned_recipients x where x.user_id`,
        sql`invitations x where x.user_id`,
        sql`invitations x where x.inviter_id`,
        sql`account_changes x where x.user_id`,
        sql`uploads x where x.user_id`,
        sql`drafts x where x.user_id`,
        sql`sessions x where x.user_id`,
      ].map((rows) => sql`not exists (select 1 from ${rows} = users.id)`),
    );
    // Locked first, and checked again by the deletion: somebody may be inviting them in this
    // moment.
    const some = await tx
      .select({ id: users.id })
      .from(users)
      .where(isEmpty)
      .limit(UNCONFIRMED_AT_ONCE)
      .for('update', { skipLocked: true });
    if (some.length === 0) return 0;
    const ids = some.map(({ id }) => id);
    const deleted = await tx
      .delete(users)
      .where(and(inArray(users.id, ids), isEmpty))
      .returning({ id: users.id });
    return deleted.length;
  });
}
