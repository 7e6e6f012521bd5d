import { and, count, eq, isNull, lte, min } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { capsules, mails } from './schema.ts';

/** What waits to be done. */
export interface Queues {
  emailsQueued: number;
  emailsFailed: number;
  /** When the email that has waited longest was due. Null without one. */
  emailDueAt: Date | null;
  /** When the capsule opened that has waited longest for its announcement. Null without one. */
  unlockedAt: Date | null;
}

export async function readQueues(db: Queryable, now: Date): Promise<Queues> {
  const [queued] = await db
    .select({ emails: count(), dueAt: min(mails.nextAttemptAt) })
    .from(mails)
    .where(eq(mails.state, 'queued'));
  const [failed] = await db
    .select({ emails: count() })
    .from(mails)
    .where(eq(mails.state, 'failed'));
  const [unlocked] = await db
    .select({ at: min(capsules.unlockAt) })
    .from(capsules)
    .where(and(isNull(capsules.openedNoticeAt), lte(capsules.unlockAt, now)));
  return {
    emailsQueued: queued?.emails ?? 0,
    emailsFailed: failed?.emails ?? 0,
    emailDueAt: queued?.dueAt ?? null,
    unlockedAt: unlocked?.at ?? null,
  };
}
