import { and, gt, isNotNull, isNull } from 'drizzle-orm';
import { endYearlyWaits } from '../accounts/yearly-mails.ts';
import type { Queryable } from '../open.ts';
import {
  addressChanges,
  addressLinks,
  emailVerifications,
  pendingPasswords,
  resetLinks,
  sessions,
  uploads,
  users,
} from '../schema.ts';

/** The latest times at which links issued now can expire. */
export interface LinksEnd {
  resets: Date;
  verifications: Date;
  undos: Date;
  passwordWaits: Date;
}

/**
 * Removes sessions and links issued by a clock that was ahead, because they would live too long.
 * Uploads stay; the sweep removes them in time. Yearly emails are due within a year.
 */
export async function endDatedAhead(tx: Queryable, now: Date, end: LinksEnd): Promise<void> {
  await tx.delete(sessions).where(gt(sessions.createdAt, now));
  await tx.delete(resetLinks).where(gt(resetLinks.expiresAt, end.resets));
  await tx.delete(emailVerifications).where(gt(emailVerifications.expiresAt, end.verifications));
  await tx
    .delete(addressChanges)
    .where(and(gt(addressChanges.createdAt, now), isNull(addressChanges.confirmedAt)));
  // Can be undone as long as one that is confirmed now.
  await tx
    .update(addressChanges)
    .set({ expiresAt: end.undos })
    .where(and(gt(addressChanges.expiresAt, end.undos), isNotNull(addressChanges.confirmedAt)));
  await tx
    .update(addressLinks)
    .set({ expiresAt: end.undos })
    .where(gt(addressLinks.expiresAt, end.undos));
  await tx
    .update(pendingPasswords)
    .set({ takesEffectAt: end.passwordWaits })
    .where(gt(pendingPasswords.takesEffectAt, end.passwordWaits));
  await endYearlyWaits(tx, now);
  await tx.update(users).set({ emailBouncedAt: now }).where(gt(users.emailBouncedAt, now));
  await tx.update(uploads).set({ touchedAt: now }).where(gt(uploads.touchedAt, now));
}
