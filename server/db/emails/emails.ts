import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { emails, sendings } from '../schema.ts';

/** What is told by email: writing it, and what happens to it apart from being sent. */

export type EmailRow = typeof emails.$inferSelect;
type NewEmail = typeof emails.$inferInsert;
type NewSending = typeof sendings.$inferInsert;

/** Writes emails and their first sendings, which may be later than now. */
export async function insertEmails(
  tx: Queryable,
  rows: { email: NewEmail; sending: NewSending }[],
): Promise<void> {
  if (rows.length === 0) return;
  const written = tx.$with('written').as(
    tx
      .insert(emails)
      .values(rows.map(({ email }) => email))
      .returning({ id: emails.id }),
  );
  await tx
    .with(written)
    .insert(sendings)
    .values(rows.map(({ sending }) => sending));
}

/**
 * Sets the person an address turned out to belong to, so that the email is deleted with their
 * account.
 */
export async function setEmailUser(db: Queryable, id: string, userId: string): Promise<void> {
  await db
    .update(emails)
    .set({ userId })
    .where(and(eq(emails.id, id), isNull(emails.userId)));
}

/** Makes waiting emails due at `now`, because their time was computed by a wrong clock. */
export async function makeAllDue(tx: Queryable, now: Date): Promise<void> {
  await tx
    .update(sendings)
    .set({ nextAttemptAt: now })
    .where(and(isNull(sendings.outcome), gt(sendings.nextAttemptAt, now)));
}

export async function deleteEmail(tx: Queryable, id: string): Promise<void> {
  await tx.delete(emails).where(eq(emails.id, id));
}
