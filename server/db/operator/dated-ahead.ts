import { and, eq, gt, isNotNull, isNull, ne, or } from 'drizzle-orm';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  PASSWORD_WAITS_DAYS,
  RESET_LINK_MINUTES,
  UNDO_DAYS,
  VERIFICATION_LINK_HOURS,
} from '../../../shared/limits.ts';
import { later } from '../../clock/clock.ts';
import type { Queryable } from '../open.ts';
import {
  accountChanges,
  contributions,
  linkTokens,
  rateLimits,
  sessions,
  uploads,
  users,
} from '../schema.ts';

/**
 * Removes sessions and links issued by a clock that was ahead, because they would live too long, all
 * confirmations, and what was counted against limits. Uploads stay; the sweep removes them in time.
 * Yearly emails are due within a year.
 */
export async function endDatedAhead(tx: Queryable, now: Date): Promise<void> {
  await tx.delete(rateLimits);
  await tx.delete(sessions).where(gt(sessions.createdAt, now));
  const { confirmedUntil } = sessions;
  await tx.update(sessions).set({ confirmedUntil: null }).where(isNotNull(confirmedUntil));
  const { purpose, expiresAt } = linkTokens;
  const livesOn = (ms: number) => gt(expiresAt, later(now, ms));
  await tx
    .delete(linkTokens)
    .where(
      or(
        and(eq(purpose, 'reset'), livesOn(RESET_LINK_MINUTES * MINUTE_MS)),
        and(eq(purpose, 'verify'), livesOn(VERIFICATION_LINK_HOURS * HOUR_MS)),
      ),
    );
  const { createdAt, confirmUntil, confirmedAt, takesEffectAt, objectionUntil } = accountChanges;
  await tx
    .delete(accountChanges)
    .where(and(gt(createdAt, now), isNull(confirmedAt), isNotNull(confirmUntil)));
  const undosEnd = later(now, UNDO_DAYS * DAY_MS);
  // Takes effect, and can be undone, like one of now.
  await tx
    .update(accountChanges)
    .set({ objectionUntil: undosEnd })
    .where(gt(objectionUntil, undosEnd));
  await tx
    .update(accountChanges)
    .set({ takesEffectAt: now })
    .where(and(gt(takesEffectAt, now), isNotNull(objectionUntil)));
  await tx
    .update(linkTokens)
    .set({ expiresAt: undosEnd })
    .where(and(ne(purpose, 'invitation'), gt(expiresAt, undosEnd)));
  const waitsEnd = later(now, PASSWORD_WAITS_DAYS * DAY_MS);
  await tx
    .update(accountChanges)
    .set({ takesEffectAt: waitsEnd })
    .where(and(gt(takesEffectAt, waitsEnd), isNull(objectionUntil)));
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
