import { and, eq, gt, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { emails, sendings, users } from '../schema.ts';
import { isNamed, type SendingName } from './outcomes.ts';
import type { SendingRow } from './sendings.ts';

/**
 * Notes that an email to this person's main address came back, unless a later one has arrived
 * there. @returns the person; null if the email went elsewhere, or they have another address by now
 */
export async function setBounced(
  tx: Queryable,
  sending: SendingRow,
  at: Date,
): Promise<{ secondEmail: string | null } | null> {
  const person = await lockReached(tx, sending);
  if (!person) return null;
  const arrivedLater = tx
    .select({ one: sql`1` })
    .from(emails)
    .innerJoin(sendings, eq(sendings.emailId, emails.id))
    .where(
      and(
        eq(emails.userId, person.id),
        eq(sendings.address, sending.address ?? ''),
        eq(sendings.outcome, 'delivered'),
        gt(sendings.outcomeAt, at),
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
export async function setArrived(tx: Queryable, sending: SendingRow, at: Date): Promise<void> {
  const person = await lockReached(tx, sending);
  if (!person) return;
  await tx
    .update(users)
    .set({ emailBouncedAt: null })
    .where(and(eq(users.id, person.id), lt(users.emailBouncedAt, at)));
}

/**
 * Locks the people of the sendings of this name, before these are locked. The deletion of an account
 * has the same order; otherwise each would wait for the other.
 */
export async function lockPeopleNamed(tx: Queryable, name: SendingName): Promise<void> {
  const sentTo = tx
    .select({ id: emails.userId })
    .from(sendings)
    .innerJoin(emails, eq(emails.id, sendings.emailId))
    .where(isNamed(name));
  await lockPeople(tx, inArray(users.id, sentTo));
}

/** The same for these sendings. */
export async function lockPeopleOf(tx: Queryable, rows: SendingRow[]): Promise<void> {
  const ids = rows.flatMap(({ email }) => email.userId ?? []);
  await lockPeople(tx, inArray(users.id, ids));
}

/** In one order, so that no two wait for each other. */
async function lockPeople(tx: Queryable, condition: ReturnType<typeof inArray>): Promise<void> {
  await tx
    .select({ id: users.id })
    .from(users)
    .where(condition)
    .orderBy(users.id)
    .for('no key update');
}

/**
 * The person whose main address this email went to; null if it went elsewhere, or they have another
 * one by now. Locked, so that of two events the later one sees what the other has noted.
 */
export async function lockReached(tx: Queryable, { email, address }: SendingRow) {
  if (email.userId === null || address === null) return null;
  const { id, secondEmail } = users;
  const [person] = await tx
    .select({ id, secondEmail })
    .from(users)
    .where(and(eq(users.id, email.userId), eq(users.email, address)))
    .for('no key update');
  return person ?? null;
}
