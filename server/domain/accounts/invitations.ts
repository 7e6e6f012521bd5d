import type { register } from '../../../shared/api/auth.ts';
import type { BodyOf } from '../../../shared/api/endpoint.ts';
import type { Invitation, invite as inviteEndpoint } from '../../../shared/api/invitations.ts';
import type { Invitee } from '../../../shared/api/new-capsule.ts';
import { INVITATIONS_OF_ONE } from '../../../shared/limits.ts';
import { AppError, fieldError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { releasePerson, removeCapsulesOf, removeUser } from '../../db/accounts/account-deletion.ts';
import { isReserved } from '../../db/accounts/addresses.ts';
import {
  deleteInvitation,
  deleteShownLink,
  endInvitations,
  findInvitationLink,
  findInvitationsOf,
  type InvitationLink,
  insertInvitation,
  lockAgainstCapsules,
  lockInvited,
  nameAfterAddress,
  nameFromAddress,
  refuseCapsules,
  renameInvitation,
  spendInvitationLinks,
} from '../../db/accounts/invitations.ts';
import { findAccount, lockUser, updateUser } from '../../db/accounts/users.ts';
import { hasBlockedPerson } from '../../db/doors/blocks.ts';
import { deleteIdentities } from '../../db/doors/identities.ts';
import { deleteOthersKeys } from '../../db/doors/passkeys.ts';
import { findNoticeCapsules, type NoticeCapsule } from '../../db/email-content/subjects.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { queueEmails } from '../emails/queue.ts';
import { removeMailCopies } from './delete-account.ts';
import { issueInvitationLinks, usedLink } from './link-tokens.ts';
import { confirmMain } from './new-password.ts';
import { checkPasswordPolicy, checkPasswordsOn } from './password-policy.ts';
import { checkInviting, checkRegistration, mayRegister } from './registration.ts';

/**
 * Invites an address. Nothing happens if it has an account, or may not be invited. A repeat sends
 * no second email.
 * @returns the token of a link to hand over, where addresses don't have to be confirmed. Null
 * elsewhere, and if somebody else has invited the address first.
 * @throws REGISTRATION_CLOSED; VALIDATION_FAILED for one's own address
 */
export async function invite(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'mailQueued'>,
  actor: Actor,
  { email, name = null }: Pick<BodyOf<typeof inviteEndpoint>, 'email'> & { name?: string | null },
): Promise<string | null> {
  checkInviting(deps);
  const token = await deps.db.transaction(async (tx) => {
    const inviter = await findAccount(tx, actor.userId);
    if (!inviter) throw new AppError('UNAUTHENTICATED');
    if (inviter.email === email) {
      const message = "You don't need an invitation. You can choose yourself as a recipient.";
      throw fieldError('email', message);
    }
    return inviteOne(tx, deps, { inviterId: inviter.id, email, name });
  });
  deps.mailQueued();
  return token;
}

/** The token of a link that its inviter hands over. */
export interface ShownLink {
  email: string;
  token: string;
}

/**
 * Invites people in the transaction that seals a capsule for them, none of whom has an account. Who may
 * not be invited is left out. A repeat sends no second email, and shows new links.
 * @returns what is to be handed over, as with {@link invite}
 */
export async function inviteRecipients(
  tx: Queryable,
  deps: InviteDeps,
  inviterId: string,
  people: readonly Invitee[],
): Promise<ShownLink[]> {
  const shown: ShownLink[] = [];
  // In one order, so that two who invite the same people never wait for each other.
  for (const { email, name = null } of people.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
    const token = await inviteOne(tx, deps, { inviterId, email, name });
    if (token !== null) shown.push({ email, token });
  }
  return shown;
}

type InviteDeps = Pick<Deps, 'config' | 'clock' | 'ids'>;

interface NewInvitation {
  inviterId: string;
  email: string;
  name: string | null;
}

async function inviteOne(
  tx: Queryable,
  deps: InviteDeps,
  invitation: NewInvitation,
): Promise<string | null> {
  const open = await openInvitation(tx, deps, invitation);
  if (!open?.isFirst || deps.config.emailVerification) return null;
  await deleteShownLink(tx, open.invitationId);
  const [shown] = await issueInvitationLinks(tx, deps, [{ ...open, sentTo: null }]);
  return shown?.token ?? null;
}

/**
 * The invitation of an address by this inviter, made if there is none. Null if the address has an
 * account, or may not be invited. `isFirst` is false if somebody else has invited it before.
 */
async function openInvitation(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { inviterId, email, name }: NewInvitation,
): Promise<{ userId: string; invitationId: string; isFirst: boolean } | null> {
  const createdAt = deps.clock.now();
  // Named after the address. What the inviter calls them is a matter of the invitation: others may
  // invite them, too.
  const row = { id: deps.ids.uuid(), email, name: nameFromAddress(email), createdAt };
  // Inserts it where there is none, because a row can be locked and an address can't.
  const person = await lockInvited(tx, row);
  if (!person || person.isAccount) return null;
  const userId = person.id;
  const isNew = userId === row.id;
  const invitationsSoFar = await findInvitationsOf(tx, email);
  const own = invitationsSoFar.find((one) => one.inviterId === inviterId);
  const isRepeat = own?.userId === userId;
  // Whoever refuses is promised that we don't write to them again, whoever asks.
  const hasRefused = invitationsSoFar.some((one) => one.userId === null);
  // The inviter's own invitation that is over is replaced, so it takes no further place.
  const isFull = !own?.userId && invitationsSoFar.length >= INVITATIONS_OF_ONE;
  const mayNotInvite =
    (!isRepeat && (hasRefused || isFull)) ||
    (await hasBlockedPerson(tx, { userId, blockedId: inviterId })) ||
    // Somebody has left the address lately, and can still take it back.
    (await isReserved(tx, email, createdAt));
  if (mayNotInvite) {
    // A row that was there before may have open invitations by others.
    if (isNew) await releasePerson(tx, userId);
    return null;
  }
  // Only the first inviter sees the link: a later inviter could use it to read capsules that others
  // sent to this address. An invitation of another person is over: that one has another address by now.
  const [first] = invitationsSoFar
    .filter((one) => one.userId === null || one.userId === userId)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const isFirst = !first || first.inviterId === inviterId;
  if (isRepeat) {
    if (name !== null) await renameInvitation(tx, own.id, name);
    return { userId, invitationId: own.id, isFirst };
  }
  if (own?.userId) await deleteInvitation(tx, own.id);
  if (!isNew) await nameAfterAddress(tx, userId, row.name);
  const invitationId = deps.ids.uuid();
  await insertInvitation(tx, { id: invitationId, inviterId, userId, email, name, createdAt });
  await queueEmails(tx, deps, 'invitation', [{ ...person, aboutId: invitationId }]);
  return { userId, invitationId, isFirst };
}

type LinkDeps = Pick<Deps, 'config' | 'db' | 'clock'>;

/**
 * What the page behind an invitation link shows.
 * @param capsuleId of the email with the link: its recipient reads who sealed it, and when
 * @throws INVITATION_USED if its person has an account; INVALID_INVITATION if the link is unknown,
 * replaced, refused or expired
 */
export async function getInvitation(
  deps: LinkDeps,
  token: string,
  capsuleId = '',
): Promise<Invitation> {
  const link = await findInvitationLink(deps.db, usedLink(deps, 'invitation', token));
  if (!link?.isOpen) throw new AppError(link?.isAccount ? 'INVITATION_USED' : 'INVALID_INVITATION');
  const { email, name, inviterName, dateToUnlock, isByOperator } = link;
  const isClosed = !(await mayRegister(deps.db, deps, link.userId));
  const found = isUuid(capsuleId) ? await findNoticeCapsules(deps.db, [capsuleId]) : null;
  const capsule = found?.get(capsuleId);
  const recipient = capsule?.recipients.find(({ id }) => id === link.userId);
  return {
    ...{ email, name: name ?? recipient?.name ?? null, inviterName },
    ...(capsule && recipient && { capsule: sealedCapsule(capsule) }),
    ...(dateToUnlock !== null && { dateToUnlock }),
    ...(isByOperator && { isByOperator }),
    ...(isClosed && { isClosed }),
  };
}

function sealedCapsule({ id, creatorName, createdAt, unlockAt, dateToUnlock }: NoticeCapsule) {
  const times = { createdAt: createdAt.toISOString(), unlockAt: unlockAt.toISOString() };
  return { id, createdBy: creatorName, ...times, dateToUnlock };
}

async function findLink(
  db: Queryable,
  deps: Pick<Deps, 'clock'>,
  token: string,
): Promise<InvitationLink> {
  const link = await findInvitationLink(db, usedLink(deps, 'invitation', token));
  if (!link?.isOpen) throw new AppError('INVALID_INVITATION');
  return link;
}

/**
 * Makes the account of an invited person, by a link that works once.
 * @returns whether the address still has to be confirmed
 * @throws PASSWORDS_OFF, INVALID_INVITATION, REGISTRATION_CLOSED; VALIDATION_FAILED for another address
 * than the invited one
 */
export async function claimInvitation(
  deps: TakeDeps & Pick<Deps, 'passwords' | 'mailQueued'>,
  { name, email, password, invitation }: BodyOf<typeof register> & { invitation: string },
): Promise<{ userId: string; mustVerify: boolean }> {
  checkPasswordsOn(deps);
  // Checked first, so that a guessed token does not cost a password hash.
  const link = await checkInvitation(deps, invitation);
  if (link.email !== email) {
    throw fieldError('email', 'This invitation is for another address.');
  }
  await checkPasswordPolicy(deps.config, { password, email });
  const passwordHash = await deps.passwords.hash(password);
  const taken = await deps.db.transaction((tx) =>
    takeInvitation(tx, deps, { invitation, name, passwordHash, invitedId: link.userId }),
  );
  deps.mailQueued();
  return taken;
}

type TakeDeps = LinkDeps & Pick<Deps, 'ids' | 'sessions'>;

/** Who may take an invitation. @throws INVALID_INVITATION, REGISTRATION_CLOSED */
export async function checkInvitation(deps: LinkDeps, token: string): Promise<InvitationLink> {
  const link = await findLink(deps.db, deps, token);
  await checkRegistration(deps.db, deps, link.userId);
  return link;
}

/**
 * Makes an invited person's row their account. If somebody has registered with the address and never
 * confirmed it, that account becomes the invited person's. Its second address is taken off, because it
 * may be a stranger's.
 * @param isProven whether the address is known to be theirs, besides by the link. It is returned for both.
 * @throws INVALID_INVITATION
 */
export async function takeInvitation(
  tx: Queryable,
  deps: TakeDeps,
  {
    invitation,
    invitedId,
    name,
    passwordHash,
    isProven = false,
  }: {
    invitation: string;
    invitedId: string;
    name: string;
    passwordHash: string;
    isProven?: boolean;
  },
): Promise<{ userId: string; mustVerify: boolean; isProven: boolean }> {
  await lockUser(tx, invitedId);
  // Checked again under the lock: another link of this person may have been used meanwhile.
  const { userId, email, isEmailed } = await findLink(tx, deps, invitation);
  const now = deps.clock.now();
  await spendInvitationLinks(tx, userId, now);
  await updateUser(tx, userId, { name, passwordHash, createdAt: now });
  const isTheirs = isEmailed || isProven;
  if (isTheirs) await confirmMain(tx, deps, userId);
  await deps.sessions.endAll(userId, tx);
  // Of somebody who had registered with the address.
  await deleteOthersKeys(tx, userId);
  await deleteIdentities(tx, userId);
  const mustVerify = deps.config.emailVerification && !isTheirs;
  if (mustVerify) await queueEmails(tx, deps, 'verify-email', [{ id: userId, email }]);
  return { userId, mustVerify, isProven: isTheirs };
}

/**
 * Removes the invited person, and takes them out of every capsule, whose creator sees how many have
 * refused. Nobody can invite the address again. If somebody has registered with it and never
 * confirmed it, that account stays, but is in no capsule and not invited any more, so that it gets
 * no emails.
 * @throws INVALID_INVITATION
 */
export async function refuseInvitation(
  deps: LinkDeps & Pick<Deps, 'filesReleased' | 'log' | 'mailer'>,
  token: string,
): Promise<void> {
  const email = await deps.db.transaction(async (tx) => {
    await lockAgainstCapsules(tx, (await findLink(tx, deps, token)).userId);
    const { userId, email, hasPassword } = await findLink(tx, deps, token);
    await refuseCapsules(tx, userId);
    if (hasPassword) {
      await endInvitations(tx, userId);
    } else {
      await removeCapsulesOf(tx, userId);
      await removeUser(tx, { id: userId, email });
    }
    return email;
  });
  deps.filesReleased();
  await removeMailCopies(deps, email);
}
