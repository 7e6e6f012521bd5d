import { and, count, eq, isNull, lte, min, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { DAY_MS } from '../../../shared/limits.ts';
import { later } from '../../clock/clock.ts';
import type { Queryable } from '../open.ts';
import { anyRow } from '../rows.ts';
import { capsules, isGivenUp, sendings } from '../schema.ts';

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
const isNotHeldBack = sql`(
  select u.suspended_at from users u where u.id = creator_id) is null`;

export async function readQueues(db: Queryable, now: Date): Promise<Queues> {
  const soon = later(now, DAY_MS);
  const [queued] = await db
    .select({ emails: count(), dueAt: min(sendings.nextAttemptAt) })
    .from(sendings)
    .where(and(isNull(sendings.outcome), lte(sendings.nextAttemptAt, soon)));
  const next = alias(sendings, 'next');
  const goesOn = anyRow(
    db,
    next,
    and(eq(next.emailId, sendings.emailId), eq(next.number, sql`${sendings.number} + 1`)),
  );
  const [failed] = await db
    .select({ emails: count() })
    .from(sendings)
    .where(and(isGivenUp(sendings), notExists(goesOn)));
  const [unlocked] = await db
    .select({ at: min(capsules.unlockAt) })
    .from(capsules)
    .where(and(isNull(capsules.openedNoticeAt), lte(capsules.unlockAt, now), isNotHeldBack));
  return {
    emailsQueued: queued?.emails ?? 0,
    emailsFailed: failed?.emails ?? 0,
    emailDueAt: queued?.dueAt ?? null,
    unlockedAt: unlocked?.at ?? null,
  };
}
