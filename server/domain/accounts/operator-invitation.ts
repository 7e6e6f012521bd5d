import { AppError } from '../../app-error.ts';
import { isReserved } from '../../db/accounts/addresses.ts';
import {
  deleteOperatorLinks,
  findInvitationsOf,
  lockInvited,
  nameFromAddress,
} from '../../db/accounts/invitations.ts';
import { findPasswordHash, updateUser } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails } from '../emails/queue.ts';
import { issueInvitationLinks } from './link-tokens.ts';

/**
 * Invites an address as an operator, in every mode of registration. A repeat makes a new link.
 * @returns the invited person, and the token of a link to hand over. Null if somebody else has
 * invited the address or registered with it: what waits for its owner must not open for whoever
 * runs the command, so only the owner gets a link, by email.
 * @throws EMAIL_TAKEN
 */
export async function inviteAsOperator(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  email: string,
): Promise<{ userId: string; token: string | null }> {
  const now = deps.clock.now();
  const row = { id: deps.ids.uuid(), email, name: nameFromAddress(email), createdAt: now };
  const person = await lockInvited(tx, row);
  if (!person) throw new AppError('EMAIL_TAKEN', { message: 'Please try again.' });
  if (person.isAccount) {
    throw new AppError('EMAIL_TAKEN', { message: `${email} has an account already.` });
  }
  if (await isReserved(tx, email, now)) {
    const message = `${email} was an address of somebody else until lately, and they can still take it back.`;
    throw new AppError('EMAIL_TAKEN', { message });
  }
  await updateUser(tx, person.id, { admittedAt: now });
  const invitations = await findInvitationsOf(tx, email);
  const isInvitedByOthers = invitations.some(({ userId }) => userId === person.id);
  const hasRegistered = Boolean(await findPasswordHash(tx, person.id));
  if (isInvitedByOthers || hasRegistered) {
    const kind = hasRegistered ? 'verify-email' : 'invitation';
    await queueEmails(tx, deps, kind, [{ id: person.id, email }]);
    return { userId: person.id, token: null };
  }
  await deleteOperatorLinks(tx, person.id);
  const link = { userId: person.id, invitationId: null, sentTo: null };
  const [shown] = await issueInvitationLinks(tx, deps, [link]);
  return { userId: person.id, token: shown?.token ?? null };
}
