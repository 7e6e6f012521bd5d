import {
  and,
  eq,
  exists,
  gt,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  notExists,
  or,
  sql,
} from 'drizzle-orm';
import { isAccount } from '../accounts/users.ts';
import type { Queryable } from '../open.ts';
import { anyRow } from '../rows.ts';
import { emails, invitations, sendings, users } from '../schema.ts';

/**
 * Deletes emails that have ended, and those that were dropped. One about a capsule stays as long as the
 * capsule, because the creator can see what became of it.
 */
export async function deleteOldEmails(
  db: Queryable,
  { endedBefore, droppedBefore }: { endedBefore: Date; droppedBefore: Date },
): Promise<void> {
  // An inviter can see whether the email was sent, until the account is made.
  const isOpenInvitation = exists(
    db
      .select({ one: sql`1` })
      .from(invitations)
      .innerJoin(users, eq(users.id, invitations.userId))
      .where(
        and(eq(invitations.id, emails.aboutId), isNotNull(invitations.inviterId), not(isAccount())),
      ),
  );
  const sendingOfIt = (some: ReturnType<typeof or>) =>
    anyRow(db, sendings, and(eq(sendings.emailId, emails.id), some));
  const isLater = or(isNull(sendings.outcome), gt(sendings.outcomeAt, endedBefore));
  const isUndropped = or(isNull(sendings.outcome), ne(sendings.outcome, 'dropped'));
  await db
    .delete(emails)
    .where(
      and(
        eq(emails.isAboutCapsules, false),
        lte(emails.createdAt, droppedBefore),
        or(
          notExists(sendingOfIt(isUndropped)),
          and(
            lte(emails.createdAt, endedBefore),
            notExists(sendingOfIt(isLater)),
            not(isOpenInvitation),
          ),
        ),
      ),
    );
}
