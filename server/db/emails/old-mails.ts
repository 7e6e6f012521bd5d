import { and, eq, exists, isNotNull, isNull, lte, not, or, sql } from 'drizzle-orm';
import { type AccountCondition, hasAccount } from '../accounts/users.ts';
import type { Queryable } from '../open.ts';
import { invitations, mails, users } from '../schema.ts';

/** Deletes emails that have ended, and those that were dropped. @param condition which accounts count */
export async function deleteOldMails(
  db: Queryable,
  { endedBefore, droppedBefore }: { endedBefore: Date; droppedBefore: Date },
  condition: AccountCondition,
): Promise<void> {
  // An inviter can see whether the email was sent, until the account is made.
  const isOpenInvitation = exists(
    db
      .select({ one: sql`1` })
      .from(invitations)
      .innerJoin(users, eq(users.id, invitations.userId))
      .where(
        and(
          eq(invitations.id, mails.id),
          isNotNull(invitations.inviterId),
          not(hasAccount(condition)),
        ),
      ),
  );
  await db.delete(mails).where(
    or(
      // A notice stays as long as its capsule, because the creator can see what became of it.
      and(
        or(
          and(eq(mails.state, 'sent'), lte(mails.sentAt, endedBefore)),
          and(eq(mails.state, 'failed'), lte(mails.createdAt, endedBefore)),
        ),
        isNull(mails.capsuleId),
        not(isOpenInvitation),
      ),
      and(eq(mails.state, 'dropped'), lte(mails.createdAt, droppedBefore)),
    ),
  );
}
