import { and, eq, type SQL, sql } from 'drizzle-orm';
import { BIN_DAYS } from '../../../shared/limits.ts';
import type { Queryable } from '../open.ts';
import { binnedCapsules, mails } from '../schema.ts';

/** Emails about a capsule in the bin wait for longer than anything stays there. */
const PUT_OFF = sql.raw(`interval '${BIN_DAYS + 1} days'`);

/**
 * Until when an email waits that became due while its capsule is in the bin: it may have been tried
 * when that was deleted. Null for all others.
 */
export const putOffUntil = sql`(select ${binnedCapsules.deletedAt} + ${PUT_OFF}
  from ${binnedCapsules} where ${binnedCapsules.capsuleId} = ${mails.capsuleId})`;

/** For a capsule that goes into the bin. */
export function putMailsOff(tx: Queryable, capsuleId: string): Promise<void> {
  return shift(tx, capsuleId, sql`${mails.nextAttemptAt} + ${PUT_OFF}`);
}

/** For a capsule that is brought back: its emails are due again when they were before. */
export function resumeMails(tx: Queryable, capsuleId: string): Promise<void> {
  return shift(tx, capsuleId, sql`${mails.nextAttemptAt} - ${PUT_OFF}`);
}

async function shift(tx: Queryable, capsuleId: string, nextAttemptAt: SQL): Promise<void> {
  await tx
    .update(mails)
    .set({ nextAttemptAt })
    .where(and(eq(mails.capsuleId, capsuleId), eq(mails.state, 'queued')));
}
