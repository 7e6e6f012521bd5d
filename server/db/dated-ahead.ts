import { gt } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { emailVerifications, resetLinks, sessions, uploads } from './schema.ts';

/** The latest times at which links issued now can expire. */
export interface LinksEnd {
  resets: Date;
  verifications: Date;
}

/**
 * Removes sessions and links issued by a clock that was ahead, because they would live too long.
 * Uploads stay; the sweep removes them in time.
 */
export async function endDatedAhead(tx: Queryable, now: Date, end: LinksEnd): Promise<void> {
  await tx.delete(sessions).where(gt(sessions.createdAt, now));
  await tx.delete(resetLinks).where(gt(resetLinks.expiresAt, end.resets));
  await tx.delete(emailVerifications).where(gt(emailVerifications.expiresAt, end.verifications));
  await tx.update(uploads).set({ touchedAt: now }).where(gt(uploads.touchedAt, now));
}
