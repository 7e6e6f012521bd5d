import { type MailKind, type NewMail, queueMails } from '../db/mails.ts';
import type { Queryable } from '../db/open.ts';
import type { Deps } from '../deps.ts';

/**
 * Mail, queued in the transaction of what it tells of: either both happened or neither.
 * Call `deps.mailQueued()` after the commit; without it the mail leaves a little later.
 */

type NoticeDeps = Pick<Deps, 'clock' | 'ids'>;

export interface Person {
  id: string;
  email: string;
}

/** "Please confirm your address", with a link that is made when the mail is sent. */
export function queueVerificationMail(tx: Queryable, deps: NoticeDeps, user: Person) {
  return queue(tx, deps, 'verify-email', [user]);
}

/**
 * A reset link for whoever has this address. Known and unknown addresses make the same row and
 * cost the same time; only the mail job, out of everyone's sight, looks who it is and drops
 * the mail when it is nobody.
 * @param address in lower case, as `normalizeEmail` gives it.
 */
export function queuePasswordResetMail(tx: Queryable, deps: NoticeDeps, address: string) {
  return queue(tx, deps, 'password-reset', [{ id: null, email: address }]);
}

/** "Your password was changed", so that an owner who did not do it hears of it. */
export function queuePasswordChangedMail(tx: Queryable, deps: NoticeDeps, user: Person) {
  return queue(tx, deps, 'password-changed', [user]);
}

/**
 * "A capsule is waiting for you", when the creator switched that on. A creator among the
 * recipients is told too: they asked for it, and it is the one written trace of a letter
 * that may stay sealed for decades. Its text speaks of a letter to oneself.
 */
export async function queueWaitingNotices(
  tx: Queryable,
  deps: NoticeDeps,
  capsule: { id: string; notifyRecipient: boolean },
  recipients: Person[],
): Promise<void> {
  if (!capsule.notifyRecipient) return;
  await queue(tx, deps, 'capsule-waiting', recipients, capsule.id);
}

/** "It has opened", to every recipient and the creator, whatever the switch says; once each. */
export function queueOpenedNotices(
  tx: Queryable,
  deps: NoticeDeps,
  capsule: { id: string; creator: Person | null },
  recipients: Person[],
): Promise<void> {
  const everyone = capsule.creator ? [...recipients, capsule.creator] : recipients;
  const people = new Map(everyone.map((person) => [person.id, person]));
  return queue(tx, deps, 'capsule-opened', [...people.values()], capsule.id);
}

function queue(
  tx: Queryable,
  { clock, ids }: NoticeDeps,
  kind: MailKind,
  people: { id: string | null; email: string }[],
  capsuleId: string | null = null,
): Promise<void> {
  const rows = people.map(
    ({ id, email }): NewMail => ({ id: ids.uuid(), kind, toAddress: email, userId: id, capsuleId }),
  );
  return queueMails(tx, rows, clock.now());
}
