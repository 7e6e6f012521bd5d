import type { Invitee, NewCapsule } from '../../../shared/api/new-capsule.ts';
import { addYears, dayAt, knownZone, startOfDay } from '../../../shared/day.ts';
import {
  CAPSULE_FILES_FACTOR,
  FILES_MAX,
  MEGABYTE,
  UNLOCK_YEARS_MAX,
} from '../../../shared/limits.ts';
import { TOO_FAR_AHEAD } from '../../../shared/sentences.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { findInvitationsBy } from '../../db/accounts/invitations.ts';
import { findUsersByEmail } from '../../db/accounts/users.ts';
import type { Deps } from '../../deps.ts';
import { inviteRecipients, type ShownLink } from '../accounts/invitations.ts';
import { checkInviting } from '../accounts/registration.ts';

/** A file whose bytes are already on stable storage. */
export interface ReceivedFile {
  name: string;
  type: string;
  bytes: number;
  sha256: string;
  storageKey: string;
  /** The upload session it came by. */
  uploadId?: string;
}

/** Fields that passed the checks: the day is in the future, and the recipients exist or are to be invited. */
export interface CheckedCapsule {
  fields: NewCapsule;
  unlockAt: Date;
  /** Those who exist. */
  recipients: Recipient[];
  /** Those without an account. */
  invitees: Invitee[];
}

interface Recipient {
  id: string;
  name: string;
  email: string;
}

/** @throws UNLOCK_DAY_INVALID, RECIPIENT_NOT_REGISTERED, REGISTRATION_CLOSED */
export async function checkNewCapsule(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  actor: Actor,
  fields: NewCapsule,
): Promise<CheckedCapsule> {
  checkUnlockDay(fields, deps.clock.now());
  const found = await findUsersByEmail(deps.db, fields.recipientEmails, actor.userId);
  const invitees = inviteesOf(fields, found);
  const known = new Set(found.map(({ email }) => email));
  if (invitees.some(({ email }) => !known.has(email))) checkInviting(deps);
  inOrder(fields, [...found, ...invitees]);
  const unlockAt = startOfDay(fields.dateToUnlock, zoneOf(fields));
  // Who was invited before the door was closed is a recipient like any other, and not invited again.
  const isClosed = deps.config.registration === 'closed';
  return { fields, unlockAt, recipients: found, invitees: isClosed ? [] : invitees };
}

/** Whom this capsule invites: those of its recipients who have no account. */
function inviteesOf(
  { invite = [], recipientEmails }: NewCapsule,
  found: { email: string; isAccount: boolean }[],
): Invitee[] {
  const accounts = new Set(found.filter((one) => one.isAccount).map(({ email }) => email));
  const others = recipientEmails.filter((email) => !accounts.has(email));
  return others.flatMap((email) => invite.find((one) => one.email === email) ?? []);
}

/** The links of those whom this person has invited and who still have no account, for a repeat. */
export async function showLinksAgain(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids'>,
  actor: Actor,
  { invite = [], recipientEmails }: NewCapsule,
): Promise<ShownLink[]> {
  if (invite.length === 0 || deps.config.emailVerification) return [];
  return deps.db.transaction(async (tx) => {
    const invited = await findInvitationsBy(tx, actor.userId);
    const own = new Set(invited.map(({ email }) => email));
    const again = invite.filter(({ email }) => own.has(email) && recipientEmails.includes(email));
    return inviteRecipients(tx, deps, actor.userId, again);
  });
}

/** The people of the recipients' addresses, in their order. @throws RECIPIENT_NOT_REGISTERED */
export function inOrder<Person extends { email: string }>(
  { recipientEmails, invite = [] }: NewCapsule,
  found: Person[],
): Person[] {
  const byEmail = new Map(found.map((person) => [person.email, person]));
  const unknown = recipientEmails.filter((email) => !byEmail.has(email));
  if (unknown.length === 0) return recipientEmails.flatMap((email) => byEmail.get(email) ?? []);
  const refused = unknown.filter((email) => invite.some((one) => one.email === email));
  const message =
    refused.length > 0
      ? `We can't invite ${refused.join(', ')}, perhaps because they asked us not to. Please choose somebody else.`
      : unknown.length === 1
        ? `${unknown[0]} isn't registered. Please choose registered people only.`
        : `These addresses aren't registered: ${unknown.join(', ')}. Please choose registered people only.`;
  throw new AppError('RECIPIENT_NOT_REGISTERED', { message, errors: { recipientEmails: message } });
}

export function zoneOf({ timeZone, utcOffset }: NewCapsule): string {
  return knownZone(timeZone, utcOffset);
}

export function checkUnlockDay(fields: NewCapsule, now: Date): void {
  const { dateToUnlock } = fields;
  const today = dayAt(now, zoneOf(fields));
  const refuse = (message: string) => {
    throw new AppError('UNLOCK_DAY_INVALID', { message, errors: { dateToUnlock: message } });
  };
  // ISO days compare as text.
  if (dateToUnlock <= today)
    refuse('The unlock date must be after today. Please choose a later date.');
  if (dateToUnlock > addYears(today, UNLOCK_YEARS_MAX)) refuse(TOO_FAR_AHEAD);
}

/** Files of the body and resumable uploads together. @throws TOO_MANY_FILES, PAYLOAD_TOO_LARGE */
export function checkFiles({ maxFileMB }: Deps['config'], count: number, totalBytes: number): void {
  if (count > FILES_MAX) {
    const message = `Too many files. A capsule can have at most ${FILES_MAX}.`;
    throw new AppError('TOO_MANY_FILES', { message });
  }
  const totalMB = maxFileMB * CAPSULE_FILES_FACTOR;
  if (totalBytes > totalMB * MEGABYTE) {
    const message = `All files together can be at most ${totalMB} MB.`;
    throw new AppError('PAYLOAD_TOO_LARGE', { message });
  }
}
