import { and, asc, eq, gt, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm';
import { alias, union } from 'drizzle-orm/pg-core';
import { addressHashOf } from '../address-hash.ts';
import type { Queryable } from '../open.ts';
import { anyRow } from '../rows.ts';
import {
  binnedRecipients,
  capsuleRecipients,
  capsules,
  invitations,
  linkTokens,
  users,
} from '../schema.ts';
import { removeCapsulesLeftTo } from './account-deletion.ts';
import { deleteLinks } from './link-tokens.ts';
import { hasPassword, isAccount } from './users.ts';

/**
 * Finds or makes the row of an address, and locks it, so that people who invite it take turns.
 * Undefined if it was deleted in this moment.
 */
export async function lockInvited(tx: Queryable, row: typeof users.$inferInsert) {
  await tx.insert(users).values(row).onConflictDoNothing();
  const [person] = await tx
    .select({ id: users.id, email: users.email, isAccount: isAccount() })
    .from(users)
    .where(eq(users.email, row.email))
    .for('no key update');
  return person;
}

/** What an invited person is called until they make their account. */
export function nameFromAddress(email: string): string {
  return email.replace(/@.*/, '');
}

/** All invitations of an address, also those that its owner has refused. */
export function findInvitationsOf(db: Queryable, email: string) {
  return db
    .select({
      id: invitations.id,
      inviterId: invitations.inviterId,
      userId: invitations.userId,
    })
    .from(invitations)
    .where(eq(invitations.addressHash, addressHashOf(email)));
}

/**
 * Whom this person has invited, the oldest invitation first. An address is null once its owner has
 * refused or deleted their account.
 */
export function findInvitationsBy(db: Queryable, inviterId: string) {
  return db
    .select({ email: users.email, name: invitations.name, invitedAt: invitations.createdAt })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.userId))
    .where(eq(invitations.inviterId, inviterId))
    .orderBy(asc(invitations.createdAt), asc(invitations.id));
}

export async function insertInvitation(
  tx: Queryable,
  { email, ...row }: Omit<typeof invitations.$inferInsert, 'addressHash'> & { email: string },
): Promise<void> {
  await tx.insert(invitations).values({ ...row, addressHash: addressHashOf(email) });
}

/**
 * Renames an unconfirmed account after its address, because whoever registered it may have chosen
 * somebody else's name. An account that has sealed or received something keeps its name: it is from
 * a time when addresses were not confirmed, and others know it by that name.
 */
export async function nameAfterAddress(tx: Queryable, userId: string, name: string): Promise<void> {
  const sealed = anyRow(tx, capsules, eq(capsules.creatorId, userId));
  const received = anyRow(tx, capsuleRecipients, eq(capsuleRecipients.userId, userId));
  await tx
    .update(users)
    .set({ name })
    .where(and(eq(users.id, userId), notExists(sealed), notExists(received)));
}

export async function renameInvitation(tx: Queryable, id: string, name: string): Promise<void> {
  await tx.update(invitations).set({ name }).where(eq(invitations.id, id));
}

/** Deletes an invitation. If its email has not been sent yet, it never is. */
export async function deleteInvitation(tx: Queryable, id: string): Promise<void> {
  await tx.delete(invitations).where(eq(invitations.id, id));
}

/** Whether somebody has invited this person. */
export async function isInvitedPerson(db: Queryable, userId: string): Promise<boolean> {
  return (await db.$count(invitations, eq(invitations.userId, userId))) > 0;
}

/** Whether an operator has invited this person. */
export async function isAdmitted(db: Queryable, userId: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, userId), isNotNull(users.admittedAt)))) > 0;
}

/** The day of the newest capsule that the inviter has sealed for the invited person. */
const DAY_OF_NEWEST = sql<string | null>`(
  select r.date_to_unlock::text from ${capsuleRecipients} r
  join ${capsules} c on c.id = r.capsule_id
  where r.user_id = ${invitations.userId} and c.creator_id = ${invitations.inviterId}
  order by c.created_at desc, c.id desc limit 1)`;

/**
 * What the email of an invitation says, with the day of the newest capsule that its inviter has sealed for
 * its person. Null when the inviter has deleted their account.
 */
export async function findInvitation(db: Queryable, id: string) {
  const inviter = alias(users, 'inviter');
  const [row] = await db
    .select({
      userId: invitations.userId,
      name: invitations.name,
      inviterName: inviter.name,
      dateToUnlock: DAY_OF_NEWEST,
    })
    .from(invitations)
    .innerJoin(inviter, eq(inviter.id, invitations.inviterId))
    .where(eq(invitations.id, id));
  return row ?? null;
}

export type InvitationLink = NonNullable<Awaited<ReturnType<typeof findInvitationLink>>>;

/** An invitation link that has not expired. */
export async function findInvitationLink(
  db: Queryable,
  { tokenHash, now }: { tokenHash: string; now: Date },
) {
  const inviter = alias(users, 'inviter');
  const [row] = await db
    .select({
      userId: users.id,
      email: users.email,
      sentTo: linkTokens.sentTo,
      usedAt: linkTokens.usedAt,
      hasPassword: hasPassword(),
      isAccount: isAccount(),
      name: invitations.name,
      inviterName: inviter.name,
      dateToUnlock: DAY_OF_NEWEST,
      isByOperator: sql<boolean>`${linkTokens.sentTo} is null and ${linkTokens.subjectId} is null`,
    })
    .from(linkTokens)
    .innerJoin(users, eq(users.id, linkTokens.userId))
    .leftJoin(invitations, eq(invitations.id, linkTokens.subjectId))
    .leftJoin(inviter, eq(inviter.id, invitations.inviterId))
    .where(
      and(
        eq(linkTokens.tokenHash, tokenHash),
        eq(linkTokens.purpose, 'invitation'),
        gt(linkTokens.expiresAt, now),
      ),
    );
  if (!row) return null;
  const { sentTo, usedAt, ...link } = row;
  // It came by email, and so proves the address.
  const isEmailed = sentTo !== null && usedAt === null;
  // Where somebody has registered and not confirmed the address, no other link proves it.
  const isOpen = !link.isAccount && (isEmailed || !link.hasPassword);
  return { ...link, isEmailed, isOpen };
}

/** Deletes the link that the inviter was shown. Emailed ones stay: any of them may be pressed. */
export async function deleteShownLink(tx: Queryable, invitationId: string): Promise<void> {
  await tx
    .delete(linkTokens)
    .where(and(eq(linkTokens.subjectId, invitationId), isNull(linkTokens.sentTo)));
}

/** Deletes the link that an operator was shown. */
export async function deleteOperatorLinks(tx: Queryable, userId: string): Promise<void> {
  const { purpose, subjectId, sentTo } = linkTokens;
  await tx
    .delete(linkTokens)
    .where(
      and(
        eq(linkTokens.userId, userId),
        eq(purpose, 'invitation'),
        isNull(subjectId),
        isNull(sentTo),
      ),
    );
}

/**
 * Uses all links of a person, once the account is made. They only lead to a page that says that there
 * is an account.
 */
export async function spendInvitationLinks(
  tx: Queryable,
  userId: string,
  now: Date,
): Promise<void> {
  const isTheirs = and(eq(linkTokens.userId, userId), eq(linkTokens.purpose, 'invitation'));
  await tx.update(linkTokens).set({ usedAt: now }).where(isTheirs);
}

/**
 * Ends a person's invitations. Until they have a confirmed account, no capsule can be addressed to
 * them.
 */
export async function endInvitations(tx: Queryable, userId: string): Promise<void> {
  await tx.update(invitations).set({ userId: null }).where(eq(invitations.userId, userId));
  await deleteLinks(tx, userId, 'invitation');
}

/**
 * Locks the person so that nobody can address a capsule to them meanwhile. `lockUser` allows that.
 */
export async function lockAgainstCapsules(tx: Queryable, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
}

/** Takes this recipient out of every capsule, and notes on each that one of its recipients has refused. */
export async function refuseCapsules(tx: Queryable, userId: string): Promise<void> {
  const placesIn = (places: typeof capsuleRecipients | typeof binnedRecipients) =>
    tx.select({ id: places.capsuleId }).from(places).where(eq(places.userId, userId));
  const received = union(placesIn(capsuleRecipients), placesIn(binnedRecipients));
  // Locked in the order of their ids, so that two people who refuse the same capsules never wait
  // for each other.
  await tx
    .select({ id: capsules.id })
    .from(capsules)
    .where(inArray(capsules.id, received))
    .orderBy(asc(capsules.id))
    .for('no key update');
  await tx
    .update(capsules)
    .set({ refusals: sql`${capsules.refusals} + 1` })
    .where(inArray(capsules.id, received));
  await removeCapsulesLeftTo(tx, userId);
  await tx.delete(capsuleRecipients).where(eq(capsuleRecipients.userId, userId));
  await tx.delete(binnedRecipients).where(eq(binnedRecipients.userId, userId));
}
