import { and, eq, gt, isNotNull, isNull, not, or } from 'drizzle-orm';
import type { LinkPurpose } from '../accounts/link-tokens.ts';
import type { Queryable } from '../open.ts';
import { accountChanges, contributions, linkTokens, sessions, uploads, users } from '../schema.ts';

/** The latest times at which links issued now can expire. */
export interface LinksEnd {
  resets: Date;
  verifications: Date;
  undos: Date;
  passwordWaits: Date;
}

/**
 * Removes sessions and links issued by a clock that was ahead, because they would live too long, and
 * all confirmations. Uploads stay; the sweep removes them in time. Yearly emails are due within a year.
 */
export async function endDatedAhead(tx: Queryable, now: Date, end: LinksEnd): Promise<void> {
  await tx.delete(sessions).where(gt(sessions.createdAt, now));
  const { confirmedUntil } = sessions;
  await tx.update(sessions).set({ confirmedUntil: null }).where(isNotNull(confirmedUntil));
  const isOf = (purpose: LinkPurpose) => eq(linkTokens.purpose, purpose);
  const isLate = (at: Date) => gt(linkTokens.expiresAt, at);
  await tx
    .delete(linkTokens)
    .where(
      or(and(isOf('reset'), isLate(end.resets)), and(isOf('verify'), isLate(end.verifications))),
    );
  const { createdAt, confirmUntil, confirmedAt, takesEffectAt, objectionUntil } = accountChanges;
  await tx
    .delete(accountChanges)
    .where(and(gt(createdAt, now), isNull(confirmedAt), isNotNull(confirmUntil)));
  // Takes effect, and can be undone, like one of now.
  await tx
    .update(accountChanges)
    .set({ objectionUntil: end.undos })
    .where(gt(objectionUntil, end.undos));
  await tx
    .update(accountChanges)
    .set({ takesEffectAt: now })
    .where(and(gt(takesEffectAt, now), isNotNull(objectionUntil)));
  await tx
    .update(linkTokens)
    .set({ expiresAt: end.undos })
    .where(and(not(isOf('invitation')), isLate(end.undos)));
  await tx
    .update(accountChanges)
    .set({ takesEffectAt: end.passwordWaits })
    .where(and(gt(takesEffectAt, end.passwordWaits), isNull(objectionUntil)));
  const { addressAskedAt } = users;
  const isNew = and(isNull(addressAskedAt), gt(users.createdAt, now));
  await tx
    .update(users)
    .set({ addressAskedAt: now })
    .where(or(gt(addressAskedAt, now), isNew));
  await tx.update(users).set({ emailBouncedAt: now }).where(gt(users.emailBouncedAt, now));
  await tx.update(uploads).set({ touchedAt: now }).where(gt(uploads.touchedAt, now));
  const { removedAt } = contributions;
  await tx.update(contributions).set({ removedAt: now }).where(gt(removedAt, now));
}
