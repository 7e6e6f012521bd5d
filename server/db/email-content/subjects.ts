import { and, asc, desc, eq, exists, isNotNull, not, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import {
  ACCOUNT_COLUMNS,
  type Account,
  hasPassword,
  isAccount,
  isInvited,
  nameFor,
  type UserRow,
} from '../accounts/users.ts';
import type { Queryable } from '../open.ts';
import { anyRow, isOneOf } from '../rows.ts';
import {
  accountChanges,
  capsuleRecipients,
  capsules,
  hasBlocked,
  invitations,
  isBinned,
  isUnseen,
  users,
} from '../schema.ts';

/** The person an email is for, with what emails depend on. */
export type EmailPerson = Account &
  Pick<UserRow, 'emailBouncedAt' | 'suspendedAt' | 'deletionDueAt' | 'deletionCapsules'> & {
    /** They have registered, or made their account. */
    hasPassword: boolean;
    /**
     * Whether they have an account, or are only invited to make one. Null for neither, as for whoever
     * has not shown that their address is theirs, where that is asked for.
     */
    standing: 'account' | 'invited' | null;
    /** The kinds of email they have turned off. */
    unwanted: string[];
  };

const PERSON_COLUMNS = {
  ...ACCOUNT_COLUMNS,
  emailBouncedAt: users.emailBouncedAt,
  suspendedAt: users.suspendedAt,
  deletionDueAt: users.deletionDueAt,
  deletionCapsules: users.deletionCapsules,
  hasPassword: hasPassword(),
  standing: sql<
    EmailPerson['standing']
  >`case when ${isAccount()} then 'account' when ${isInvited()} then 'invited' end`,
  unwanted: users.unwantedEmails,
};

/** By their main address. */
export async function findPersonAt(db: Queryable, email: string): Promise<EmailPerson | null> {
  const [row] = await db.select(PERSON_COLUMNS).from(users).where(eq(users.email, email));
  return row ?? null;
}

/** The time zone in which a person last sealed a capsule. Null for who never did. */
export async function findTimeZone(db: Queryable, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ timeZone: capsules.timeZone })
    .from(capsules)
    .where(eq(capsules.creatorId, userId))
    .orderBy(desc(capsules.createdAt), desc(capsules.id))
    .limit(1);
  return row?.timeZone ?? null;
}

/** People by their ids. */
export async function findEmailPeople(
  db: Queryable,
  ids: string[],
): Promise<Map<string, EmailPerson>> {
  if (ids.length === 0) return new Map();
  const people = await db.select(PERSON_COLUMNS).from(users).where(isOneOf(users.id, ids));
  return new Map(people.map((person) => [person.id, person]));
}

/**
 * Whose password a link to this address sets. It may be the main address of one account and the
 * second one of another: a main address that nobody has confirmed comes last.
 */
export async function findPersonToReset(db: Queryable, email: string): Promise<EmailPerson | null> {
  const isConfirmed = sql`(${users.email} = ${email} and ${users.emailVerifiedAt} is not null)`;
  const [row] = await db
    .select(PERSON_COLUMNS)
    .from(users)
    .where(and(or(eq(users.email, email), eq(users.secondEmail, email)), hasPassword()))
    .orderBy(desc(isConfirmed), asc(eq(users.email, email)))
    .limit(1);
  return row ?? null;
}

/**
 * Whether an email is about somebody who may not be the one who reads it: nobody has ever confirmed
 * its address for that account. An address of before counts as it was. @param email its person is null
 * for whoever has the address
 */
export async function isUnconfirmed(
  db: Queryable,
  { userId, address }: { userId: string | null; address: string },
): Promise<boolean> {
  const { previousMain, previousMainConfirmed, previousSecond, newAddress } = accountChanges;
  const wasConfirmed = anyRow(
    db,
    accountChanges,
    and(
      eq(accountChanges.userId, users.id),
      isNotNull(accountChanges.confirmedAt),
      or(
        and(eq(previousMain, address), eq(previousMainConfirmed, true)),
        eq(previousSecond, address),
        eq(newAddress, address),
      ),
    ),
  );
  const isConfirmed = or(
    and(eq(users.email, address), isNotNull(users.emailVerifiedAt)),
    eq(users.secondEmail, address),
    exists(wasConfirmed),
  );
  const isTheirs = userId
    ? eq(users.id, userId)
    : or(eq(users.email, address), eq(users.secondEmail, address));
  const people = await db
    .select({ isConfirmed: sql<boolean | null>`${isConfirmed}` })
    .from(users)
    .where(isTheirs);
  return people.length > 0 && !people.some((person) => person.isConfirmed);
}

type NoticeRow = Awaited<ReturnType<typeof selectNoticeCapsules>>[number];

/** What a notice may use of a capsule, with its recipients in the order in which they were named. */
export type NoticeCapsule = NoticeRow['capsule'] & {
  recipients: (Omit<NoticeRow, 'capsule' | 'recipientId'> & { id: string })[];
};

/** The columns a notice may use. Message and files are not even read. */
function selectNoticeCapsules(db: Queryable, ids: string[]) {
  const creator = alias(users, 'creator');
  const { position, hidden } = capsuleRecipients;
  return db
    .select({
      capsule: {
        id: capsules.id,
        title: capsules.title,
        creatorId: capsules.creatorId,
        creatorName: sql<string>`coalesce(${creator.name}, ${capsules.departedCreator}, '')`,
        isBySuspended: sql<boolean>`${creator.suspendedAt} is not null`,
        dateToUnlock: capsules.dateToUnlock,
        createdAt: capsules.createdAt,
        unlockAt: capsules.unlockAt,
        openedNoticeAt: capsules.openedNoticeAt,
      },
      recipientId: users.id,
      name: nameFor(capsules.creatorId),
      isUnread: sql<boolean>`not ${hidden} and ${isUnseen(capsuleRecipients)}`,
      hasBlockedCreator: hasBlocked(users.id, capsules.creatorId),
      /** The creator has invited them, and they have no account yet. */
      isAwaited: sql<boolean>`not ${isAccount()} and exists (select from ${invitations}
        where ${invitations.userId} = ${users.id} and ${invitations.inviterId} = ${capsules.creatorId})`,
    })
    .from(capsules)
    .leftJoin(creator, eq(creator.id, capsules.creatorId))
    .leftJoin(capsuleRecipients, eq(capsuleRecipients.capsuleId, capsules.id))
    .leftJoin(users, eq(users.id, capsuleRecipients.userId))
    .where(and(isOneOf(capsules.id, ids), not(isBinned)))
    .orderBy(asc(position));
}

/** Those of these capsules that are there and not in the bin, by their ids. */
export async function findNoticeCapsules(
  db: Queryable,
  ids: string[],
): Promise<Map<string, NoticeCapsule>> {
  const found = new Map<string, NoticeCapsule>();
  if (ids.length === 0) return found;
  for (const { capsule, recipientId: id, ...recipient } of await selectNoticeCapsules(db, ids)) {
    const one = found.get(capsule.id) ?? { ...capsule, recipients: [] };
    if (id !== null) one.recipients.push({ id, ...recipient });
    found.set(capsule.id, one);
  }
  return found;
}
