import { and, asc, desc, eq, exists, inArray, isNotNull, not, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { hasPassword, isAccount, isInvited, nameForCreator } from '../accounts/users.ts';
import { isOneOf } from '../one-of.ts';
import type { Queryable } from '../open.ts';
import {
  accountChanges,
  blocks,
  capsuleRecipients,
  capsules,
  isBinned,
  isUnseen,
  users,
} from '../schema.ts';

/** The addressee of an email, with only the columns an email needs. */
export interface Addressee {
  id: string;
  email: string;
  secondEmail: string | null;
  name: string;
  emailVerifiedAt: Date | null;
  /** Null for who doesn't want the yearly email about their export. */
  keepsakeDueAt: Date | null;
  /** Null for who doesn't want the yearly email about what they have sealed. */
  stillSealedDueAt: Date | null;
  /** Since when emails to their main address come back. Null while they arrive. */
  emailBouncedAt: Date | null;
  hasAccount: boolean;
}

const addresseeColumns = {
  id: users.id,
  email: users.email,
  secondEmail: users.secondEmail,
  name: users.name,
  emailVerifiedAt: users.emailVerifiedAt,
  keepsakeDueAt: users.keepsakeDueAt,
  stillSealedDueAt: users.stillSealedDueAt,
  emailBouncedAt: users.emailBouncedAt,
  hasAccount: hasPassword(),
};

export async function findAddressee(
  db: Queryable,
  by: { id: string } | { email: string },
): Promise<Addressee | null> {
  const condition = 'id' in by ? eq(users.id, by.id) : eq(users.email, by.email);
  const [row] = await db.select(addresseeColumns).from(users).where(condition);
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

export async function findAddressees(db: Queryable, ids: string[]): Promise<Addressee[]> {
  if (ids.length === 0) return [];
  return db.select(addresseeColumns).from(users).where(inArray(users.id, ids));
}

/**
 * Whose password a link to this address sets. It may be the main address of one account and the
 * second one of another: a main address that nobody has confirmed comes last.
 */
export async function findResetAddressee(db: Queryable, email: string): Promise<Addressee | null> {
  const isConfirmed = sql`(${users.email} = ${email} and ${users.emailVerifiedAt} is not null)`;
  const [row] = await db
    .select(addresseeColumns)
    .from(users)
    .where(and(or(eq(users.email, email), eq(users.secondEmail, email)), hasPassword()))
    .orderBy(desc(isConfirmed), asc(eq(users.email, email)))
    .limit(1);
  return row ?? null;
}

/**
 * Whether an email is about somebody who may not be the one who reads it: nobody has ever confirmed
 * its address for that account. An address of before counts as it was. @param to the person, or null
 * for whoever has the address
 */
export async function isUnconfirmed(
  db: Queryable,
  { userId, toAddress }: { userId: string | null; toAddress: string },
): Promise<boolean> {
  const { previousMain, previousMainConfirmed, previousSecond, newAddress } = accountChanges;
  const wasConfirmed = db
    .select({ one: sql`1` })
    .from(accountChanges)
    .where(
      and(
        eq(accountChanges.userId, users.id),
        isNotNull(accountChanges.confirmedAt),
        or(
          and(eq(previousMain, toAddress), eq(previousMainConfirmed, true)),
          eq(previousSecond, toAddress),
          eq(newAddress, toAddress),
        ),
      ),
    );
  const isConfirmed = or(
    and(eq(users.email, toAddress), isNotNull(users.emailVerifiedAt)),
    eq(users.secondEmail, toAddress),
    exists(wasConfirmed),
  );
  const isTheirs = userId
    ? eq(users.id, userId)
    : or(eq(users.email, toAddress), eq(users.secondEmail, toAddress));
  const people = await db
    .select({ isConfirmed: sql<boolean | null>`${isConfirmed}` })
    .from(users)
    .where(isTheirs);
  return people.length > 0 && !people.some((person) => person.isConfirmed);
}

/** The columns a notice may use. Message and files are not even read. */
export interface NoticeCapsule {
  id: string;
  title: string;
  /** Null when the creator has deleted their account. */
  creatorId: string | null;
  creatorName: string;
  dateToUnlock: string;
  createdAt: Date;
  unlockAt: Date;
  /** When its opening was announced. Null before. */
  openedNoticeAt: Date | null;
}

export async function findNoticeCapsules(db: Queryable, ids: string[]): Promise<NoticeCapsule[]> {
  if (ids.length === 0) return [];
  const creator = alias(users, 'creator');
  return db
    .select({
      id: capsules.id,
      title: capsules.title,
      creatorId: capsules.creatorId,
      creatorName: sql<string>`coalesce(${creator.name}, ${capsules.departedCreator}, '')`,
      dateToUnlock: capsules.dateToUnlock,
      createdAt: capsules.createdAt,
      unlockAt: capsules.unlockAt,
      openedNoticeAt: capsules.openedNoticeAt,
    })
    .from(capsules)
    .leftJoin(creator, eq(creator.id, capsules.creatorId))
    .where(and(isOneOf(capsules.id, ids), not(isBinned)));
}

/** Which of these people have not looked at which of these capsules, and have not put it away. */
export async function findUnread(
  db: Queryable,
  { capsuleIds, userIds }: { capsuleIds: string[]; userIds: string[] },
): Promise<{ capsuleId: string; userId: string }[]> {
  if (capsuleIds.length === 0) return [];
  const { capsuleId, userId, hidden } = capsuleRecipients;
  return db
    .select({ capsuleId, userId })
    .from(capsuleRecipients)
    .where(
      and(
        isOneOf(capsuleId, capsuleIds),
        inArray(userId, userIds),
        eq(hidden, false),
        isUnseen(capsuleRecipients),
      ),
    );
}

/** Which of these people have blocked which of those. */
export async function findBlocks(
  db: Queryable,
  { userIds, blockedIds }: { userIds: string[]; blockedIds: string[] },
): Promise<{ userId: string; blockedId: string }[]> {
  if (blockedIds.length === 0) return [];
  const { userId, blockedId } = blocks;
  return db
    .select({ userId, blockedId })
    .from(blocks)
    .where(and(isOneOf(userId, userIds), isOneOf(blockedId, blockedIds)));
}

/** Of several capsules, as their creator calls them, in the order in which they were named. */
export async function listRecipientNames(
  db: Queryable,
  capsuleIds: string[],
): Promise<{ capsuleId: string; id: string; name: string }[]> {
  if (capsuleIds.length === 0) return [];
  return db
    .select({ capsuleId: capsuleRecipients.capsuleId, id: users.id, name: nameForCreator() })
    .from(capsuleRecipients)
    .innerJoin(capsules, eq(capsules.id, capsuleRecipients.capsuleId))
    .innerJoin(users, eq(users.id, capsuleRecipients.userId))
    .where(isOneOf(capsuleRecipients.capsuleId, capsuleIds))
    .orderBy(asc(capsuleRecipients.position));
}

export interface Standing {
  as: 'account' | 'invited';
  /** The kinds of notices they have turned off. */
  unwanted: string[];
}

/**
 * Which of these people have an account, and which are only invited to make one. Absent: neither,
 * as whoever has not shown that their address is theirs, where that is asked for.
 */
export async function findStandings(db: Queryable, ids: string[]): Promise<Map<string, Standing>> {
  const rows = await db
    .select({ id: users.id, isAccount: isAccount(), unwanted: users.unwantedNotices })
    .from(users)
    .where(and(inArray(users.id, ids), or(isAccount(), isInvited())));
  return new Map(
    rows.map(({ id, isAccount, unwanted }) => [
      id,
      { as: isAccount ? 'account' : 'invited', unwanted },
    ]),
  );
}
