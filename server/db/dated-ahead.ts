import { gt } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { emailVerifications, passwordResets, sessions, uploads } from './schema.ts';

/** The latest instants at which links of now can end. */
export interface LinksEnd {
  resets: Date;
  verifications: Date;
}

/**
 * Ends what a clock that was ahead has dated: it would live longer than it may, by as much.
 * Uploads under way stay, and are old enough to be swept when their time has come.
 */
export async function endDatedAhead(tx: Queryable, now: Date, end: LinksEnd): Promise<void> {
  await tx.delete(sessions).where(gt(sessions.createdAt, now));
  await tx.delete(passwordResets).where(gt(passwordResets.expiresAt, end.resets));
  await tx.delete(emailVerifications).where(gt(emailVerifications.expiresAt, end.verifications));
  await tx.update(uploads).set({ touchedAt: now }).where(gt(uploads.touchedAt, now));
}
