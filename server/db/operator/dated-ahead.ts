import { and, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import { DAY_MS, UNDO_DAYS } from '../../../shared/limits.ts';
import { later } from '../../clock/clock.ts';
import { isWaiting } from '../accounts/account-changes.ts';
import type { Queryable } from '../open.ts';
import {
  accountChanges,
  binnedCapsules,
  capsuleKeys,
  contributionLinks,
  contributions,
  emails,
  identities,
  linkTokens,
  passkeys,
  rateLimits,
  recoveryCodes,
  sessions,
  uploads,
  users,
} from '../schema.ts';

/** From these times on something is waited for, or lasts. */
const DATED = [
  binnedCapsules.deletedAt,
  capsuleKeys.leaseUntil,
  contributionLinks.madeAt,
  contributions.removedAt,
  emails.createdAt,
  identities.createdAt,
  passkeys.createdAt,
  recoveryCodes.createdAt,
  uploads.touchedAt,
  users.addressAskedAt,
  users.createdAt,
  users.emailBouncedAt,
  users.passkeyAskedSince,
];

/**
 * After a clock that was ahead: what it has dated would last for too long. Everybody signs in again and
 * asks for links anew. What can be undone can be for a week, and all else is as if it were of now.
 */
export async function endDatedAhead(tx: Queryable, now: Date): Promise<void> {
  await tx.delete(rateLimits);
  await tx.delete(sessions);
  await tx.delete(linkTokens).where(inArray(linkTokens.purpose, ['reset', 'verify', 'confirm']));
  await tx.delete(accountChanges).where(and(isWaiting, gt(accountChanges.createdAt, now)));
  const { takesEffectAt, objectionUntil } = accountChanges;
  const inAWeek = later(now, UNDO_DAYS * DAY_MS);
  await tx
    .update(accountChanges)
    .set({
      takesEffectAt: sql`least(${takesEffectAt}, ${sql.param(now, takesEffectAt)})`,
      objectionUntil: sql`least(${objectionUntil}, ${sql.param(inAWeek, objectionUntil)})`,
    })
    .where(isNotNull(objectionUntil));
  const { settledAt } = identities;
  await tx.update(identities).set({ settledAt: inAWeek }).where(gt(settledAt, inAWeek));
  for (const column of DATED) {
    const name = sql.identifier(column.name);
    await tx.execute(
      sql`update ${column.table} set ${name} = ${sql.param(now, column)} where ${gt(column, now)}`,
    );
  }
}
