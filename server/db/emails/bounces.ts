import { and, eq, gt, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { mails, users } from '../schema.ts';
import type { MailRow } from './mails.ts';

type To = Pick<MailRow, 'userId' | 'toAddress'>;

/**
 * Notes that an email to this person's main address came back, unless a later one has arrived
 * there. @returns the person; null if the email went elsewhere, or they have another address by now
 */
export async function setBounced(
  tx: Queryable,
  to: To,
  at: Date,
): Promise<{ secondEmail: string | null } | null> {
  const person = await lockAddressee(tx, to);
  if (!person) return null;
  const arrivedLater = tx
    .select({ one: sql`1` })
    .from(mails)
    .where(
      and(
        eq(mails.userId, person.id),
        eq(mails.toAddress, to.toAddress),
        eq(mails.delivery, 'delivered'),
        gt(mails.deliveredAt, at),
      ),
    );
  const isNews = or(isNull(users.emailBouncedAt), lt(users.emailBouncedAt, at));
  await tx
    .update(users)
    .set({ emailBouncedAt: at })
    .where(and(eq(users.id, person.id), isNews, notExists(arrivedLater)));
  return person;
}

/** Notes that an email has arrived at this person's main address, if none came back later. */
export async function setArrived(tx: Queryable, to: To, at: Date): Promise<void> {
  const person = await lockAddressee(tx, to);
  if (!person) return;
  await tx
    .update(users)
    .set({ emailBouncedAt: null })
    .where(and(eq(users.id, person.id), lt(users.emailBouncedAt, at)));
}

/**
 * Locks the people of the emails with these provider's ids, or of this row, before the emails are
 * locked. The deletion of an account has the same order; otherwise each would wait for the other.
 */
export async function lockAddressees(
  tx: Queryable,
  { providerIds, rowId }: { providerIds: string[]; rowId: string | null },
): Promise<void> {
  const isTold = inArray(mails.providerId, providerIds);
  const sentTo = tx
    .select({ id: mails.userId })
    .from(mails)
    .where(rowId === null ? isTold : or(isTold, eq(mails.id, rowId)));
  await tx
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, sentTo))
    .for('no key update');
}

/**
 * The person whose main address this email went to; null if it went elsewhere, or they have another
 * one by now. Locked, so that of two events the later one sees what the other has noted.
 */
export async function lockAddressee(tx: Queryable, { userId, toAddress }: To) {
  if (userId === null) return null;
  const { id, secondEmail } = users;
  const [person] = await tx
    .select({ id, secondEmail })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.email, toAddress)))
    .for('no key update');
  return person ?? null;
}
