import { DAY_MS, REMINDER_AFTER_DAYS } from '../../../shared/limits.ts';
import { type NewMail, queueLaterMails, queueMails } from '../../db/emails/mails.ts';
import type { Queryable } from '../../db/open.ts';
import { queuePushes } from '../../db/push/push.ts';
import type { Deps } from '../../deps.ts';
import { createLimiter } from '../../limiter.ts';
import type { KindsWith, MailKind } from '../../mail/kinds.ts';

/**
 * Queues emails in the transaction of the event they are about. Call `deps.mailQueued()` after
 * the commit, or they are sent a little later.
 */

type NoticeDeps = Pick<Deps, 'clock' | 'ids'>;

export interface Person {
  id: string;
  email: string;
}

/**
 * "Please confirm your address". The link is made when the email is sent. @param user without an
 * id as with `queuePasswordResetMail`
 */
export function queueVerificationMail(tx: Queryable, deps: NoticeDeps, user: NewMailTo) {
  return queue(tx, deps, 'verify-email', [user]);
}

/**
 * A reset link for this address. Known and unknown addresses write the same row and take the same
 * time; only the email job looks up the person, and drops the email if there is none. @param
 * email as `normalizeEmail` returns it @param requestedBy which client asks, as a hash
 */
export function queuePasswordResetMail(
  tx: Queryable,
  deps: NoticeDeps,
  { email, requestedBy }: { email: string; requestedBy: string },
) {
  return queue(tx, deps, 'password-reset', [{ id: null, email, requestedBy }]);
}

/** The email of an invitation. Its row has the invitation's id. */
export function queueInvitationMail(
  tx: Queryable,
  { clock }: NoticeDeps,
  { id, person }: { id: string; person: Person },
): Promise<void> {
  const mail = {
    id,
    toAddress: person.email,
    userId: person.id,
    capsuleId: null,
    requestedBy: null,
  };
  return queueMails(tx, [{ ...mail, kind: 'invitation' }], clock.now());
}

/** "Your password was changed", so that the owner notices a change they did not make. */
export function queuePasswordChangedMail(tx: Queryable, deps: NoticeDeps, user: Person) {
  return queue(tx, deps, 'password-changed', [user]);
}

/** "Somebody who was signed in has guessed at your password." */
export function queuePasswordGuessedMails(
  tx: Queryable,
  deps: NoticeDeps,
  { userId, told }: { userId: string; told: string[] },
) {
  return queue(tx, deps, 'password-guessed', to(userId, told));
}

/** "Somebody has signed in on a new device." @param session its public id */
export function queueNewDeviceMails(
  tx: Queryable,
  deps: NoticeDeps,
  { session, userId, told }: { session: string; userId: string; told: string[] },
) {
  const mails = to(userId, told).map((one) => ({ ...one, changeId: session }));
  return queue(tx, deps, 'new-device', mails);
}

/** Tells the operator what somebody has reported. @param report its id */
export function queueReportMail(
  tx: Queryable,
  deps: NoticeDeps,
  { report, email }: { report: string; email: string },
) {
  return queue(tx, deps, 'report', [{ id: null, email, changeId: report }]);
}

/** Tells who has reported something that the operator has dealt with it. @param report its id */
export function queueReportAnsweredMail(
  tx: Queryable,
  deps: NoticeDeps,
  { report, reporter }: { report: string; reporter: Person },
) {
  const { id, email } = reporter;
  return queue(tx, deps, 'report-answered', [{ id, email, changeId: report }]);
}

/** "A passkey was added", with a link that removes it. @param passkey its id */
export function queuePasskeyAddedMails(
  tx: Queryable,
  deps: NoticeDeps,
  { passkey, userId, told }: { passkey: string; userId: string; told: string[] },
) {
  const mails = to(userId, told).map((one) => ({ ...one, changeId: passkey }));
  return queue(tx, deps, 'passkey-added', mails);
}

/** The last email of an account. No person's, since theirs are deleted with them. */
export function queueAccountDeletedMail(tx: Queryable, deps: NoticeDeps, email: string) {
  return queue(tx, deps, 'account-deleted', [{ id: null, email }]);
}

/** "Your account will be deleted", by an operator, to each address of the account. */
export function queueDeletionAnnouncedMails(
  tx: Queryable,
  deps: NoticeDeps,
  { userId, told }: { userId: string; told: string[] },
) {
  return queue(tx, deps, 'deletion-announced', to(userId, told));
}

/** Asks each of these addresses whether the password that waits is its owner's. */
export function queuePasswordWaitingMails(
  tx: Queryable,
  deps: NoticeDeps,
  { userId, asked }: { userId: string; asked: string[] },
) {
  return queue(tx, deps, 'password-waiting', to(userId, asked));
}

/** The link that confirms a new address. @param change its id */
export function queueConfirmAddressMail(
  tx: Queryable,
  deps: NoticeDeps,
  { change, user, email }: { change: string; user: { id: string }; email: string },
) {
  return queue(tx, deps, 'confirm-address', [{ id: user.id, email, changeId: change }]);
}

/** Tells addresses of before about a change, each with a link that undoes it. @param change its id */
export function queueAddressChangedMails(
  tx: Queryable,
  deps: NoticeDeps,
  { change: changeId, userId, told }: { change: string; userId: string; told: string[] },
) {
  const mails = to(userId, told).map((one) => ({ ...one, changeId }));
  return queue(tx, deps, 'address-changed', mails);
}

export function queueChangeUndoneMails(
  tx: Queryable,
  deps: NoticeDeps,
  { userId, told }: { userId: string; told: string[] },
) {
  return queue(tx, deps, 'change-undone', to(userId, told));
}

/** Tells each address that a capsule is in the bin, with a link that brings it back. @param deletion its id */
export function queueCapsuleDeletedMails(
  tx: Queryable,
  deps: NoticeDeps,
  { deletion, userId, told }: { deletion: string; userId: string; told: string[] },
) {
  const mails = to(userId, told).map((one) => ({ ...one, changeId: deletion }));
  return queue(tx, deps, 'capsule-deleted', mails);
}

const to = (id: string, addresses: string[]) => addresses.map((email) => ({ id, email }));

/** Each of them takes a connection, where servers on one database count together. */
const COUNTS_AT_ONCE = 5;

/**
 * Who gets "a capsule is waiting for you": the recipients, if the creator turned it on, as far as
 * the creator's limits go. A capsule beyond them is sealed and listed as usual. Counted apart from
 * the rows, which go with a deleted capsule; and outside of the transaction that seals, because a
 * count may need a connection of its own. If sealing fails afterwards, the counts stay: a creator
 * who tries again has so many notices less that day.
 */
export async function choosePeopleToNotify(
  { limits }: Pick<Deps, 'limits'>,
  capsule: { creatorId: string; notifyRecipient: boolean },
  recipients: Person[],
): Promise<Person[]> {
  if (!capsule.notifyRecipient) return [];
  const { creatorId } = capsule;
  const inTurn = createLimiter(COUNTS_AT_ONCE, recipients.length);
  const toOne = (person: Person) => `${creatorId} ${person.id}`;
  const counted = await Promise.all(
    recipients.map((person) => inTurn(() => limits.isWithin('waitingToOne', toOne(person)))),
  );
  const within = recipients.filter((_person, index) => counted[index]);
  if (within.length === 0) return [];
  const left = await limits.countMany('waitingToAll', creatorId, within.length);
  const others = within.slice(left);
  await Promise.all(
    others.map((person) => inTurn(() => limits.uncount('waitingToOne', toOne(person)))),
  );
  return within.slice(0, left);
}

/**
 * "A capsule is waiting for you". A creator among the recipients gets it too: it is their only
 * written trace of a letter that may stay sealed for decades.
 */
export function queueWaitingNotices(
  tx: Queryable,
  deps: NoticeDeps,
  capsule: { id: string },
  people: Person[],
): Promise<void> {
  const mails = people.map((person) => ({ ...person, capsuleId: capsule.id }));
  return queue(tx, deps, 'capsule-waiting', mails);
}

/** Queues a notice that its recipient did not get when it was due. */
export function queueWithheldNotice(
  tx: Queryable,
  deps: NoticeDeps,
  { kind, ...person }: Person & { kind: KindsWith<{ isNotice: true }>; capsuleId: string },
): Promise<void> {
  return queue(tx, deps, kind, [person]);
}

interface OpenedCapsule {
  id: string;
  creator: Person | null;
  notifyRecipient: boolean;
  recipients: Person[];
}

/**
 * "It has opened", once to each recipient and to the creator, even with notifications turned off:
 * by email, and to the browsers they chose.
 */
export async function queueOpenedNotices(
  tx: Queryable,
  deps: NoticeDeps,
  capsules: OpenedCapsule[],
): Promise<void> {
  const everyone = capsules.flatMap(({ id, creator, recipients }) => {
    const all = creator ? [...recipients, creator] : recipients;
    const people = new Map(all.map((person) => [person.id, person]));
    return [...people.values()].map((person) => ({ ...person, capsuleId: id }));
  });
  await queue(tx, deps, 'capsule-opened', everyone);
  await queueReminders(tx, deps, capsules);
  await queuePushes(
    tx,
    everyone.map(({ id: userId, capsuleId }) => ({ userId, capsuleId })),
    deps.clock.now(),
  );
}

/**
 * "It is still there", for recipients who have not looked by then, of capsules about which they were
 * to get emails. Queued now, so that each is told once, whatever happens meanwhile.
 */
function queueReminders(tx: Queryable, deps: NoticeDeps, capsules: OpenedCapsule[]): Promise<void> {
  const people = capsules
    .filter(({ notifyRecipient }) => notifyRecipient)
    .flatMap(({ id, recipients }) => recipients.map((one) => ({ ...one, capsuleId: id })));
  const now = deps.clock.now();
  const nextAttemptAt = new Date(now.getTime() + REMINDER_AFTER_DAYS * DAY_MS);
  const rows = people.map((person) => newMail(deps, 'capsule-reminder', person));
  return queueLaterMails(tx, rows, { now, nextAttemptAt });
}

interface NewMailTo {
  /** Null where it is not known whether the address is a person's. */
  id: string | null;
  email: string;
  capsuleId?: string;
  requestedBy?: string;
  changeId?: string;
}

function queue(
  tx: Queryable,
  deps: NoticeDeps,
  kind: MailKind,
  people: NewMailTo[],
): Promise<void> {
  const rows = people.map((person) => newMail(deps, kind, person));
  return queueMails(tx, rows, deps.clock.now());
}

function newMail({ ids }: NoticeDeps, kind: MailKind, to: NewMailTo): NewMail {
  const {
    id: userId,
    email: toAddress,
    capsuleId = null,
    requestedBy = null,
    changeId = null,
  } = to;
  return { id: ids.uuid(), kind, toAddress, userId, capsuleId, requestedBy, changeId };
}
