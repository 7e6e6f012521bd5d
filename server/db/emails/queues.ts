import { and, count, eq, isNull, lte, min, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../shared/limits.ts';
import type { Queryable } from '../open.ts';
import { capsules, mails } from '../schema.ts';

/** What waits to be done. Reminders, queued a month before they are due, count on their last day. */
export interface Queues {
  emailsQueued: number;
  emailsFailed: number;
  /** When the email that has waited longest was due. Null without one. */
  emailDueAt: Date | null;
  /** When the capsule opened that has waited longest for its announcement. Null without one. */
  unlockedAt: Date | null;
}

/** Those of suspended people wait for as long as the operator wants. */
const isAnnounced = sql`(
  select u.suspended_at from users u where u.id = creator_id) is null`;

export async function readQueues(db: Queryable, now: Date): Promise<Queues> {
  const soon = new Date(now.getTime() + DAY_MS);
  const [queued] = await db
    .select({ emails: count(), dueAt: min(mails.nextAttemptAt) })
    .from(mails)
    .where(and(eq(mails.state, 'queued'), lte(mails.nextAttemptAt, soon)));
  const [failed] = await db
    .select({ emails: count() })
    .from(mails)
    .where(eq(mails.state, 'failed'));
  const [unlocked] = await db
    .select({ at: min(capsules.unlockAt) })
    .from(capsules)
    .where(and(isNull(capsules.openedNoticeAt), lte(capsules.unlockAt, now), isAnnounced));
  return {
    emailsQueued: queued?.emails ?? 0,
    emailsFailed: failed?.emails ?? 0,
    emailDueAt: queued?.dueAt ?? null,
    unlockedAt: unlocked?.at ?? null,
  };
}
