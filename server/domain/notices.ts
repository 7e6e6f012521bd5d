import { DAY_MS } from '../../shared/limits.ts';
import { type MailKind, type NewMail, queueMails } from '../db/mails.ts';
import { countWaitingNotices } from '../db/notices.ts';
import type { Queryable } from '../db/open.ts';
import type { Deps } from '../deps.ts';

/**
 * Queues emails in the transaction of the event they are about. Call `deps.mailQueued()` after
 * the commit, or they are sent a little later.
 */

type NoticeDeps = Pick<Deps, 'clock' | 'ids'>;

/**
 * The most "is waiting" emails that one creator's capsules cause within 24 hours, to one recipient
 * and to all. A capsule beyond the limit is sealed and listed as usual, only its email is left out.
 */
const WAITING_A_DAY = { toOne: 10, inAll: 200 };

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
 * address as `normalizeEmail` returns it
 */
export function queuePasswordResetMail(tx: Queryable, deps: NoticeDeps, address: string) {
  return queue(tx, deps, 'password-reset', [{ id: null, email: address }]);
}

/** "Your password was changed", so that the owner notices a change they did not make. */
export function queuePasswordChangedMail(tx: Queryable, deps: NoticeDeps, user: Person) {
  return queue(tx, deps, 'password-changed', [user]);
}

/**
 * "A capsule is waiting for you", if the creator turned it on. A creator among the recipients
 * gets it too: it is their only written trace of a letter that may stay sealed for decades.
 * @returns how many emails were queued
 */
export async function queueWaitingNotices(
  tx: Queryable,
  deps: NoticeDeps,
  capsule: { id: string; creatorId: string; notifyRecipient: boolean },
  recipients: Person[],
): Promise<number> {
  if (!capsule.notifyRecipient) return 0;
  const since = new Date(deps.clock.now().getTime() - DAY_MS);
  const sent = await countWaitingNotices(tx, capsule.creatorId, since);
  const total = [...sent.values()].reduce((sum, count) => sum + count, 0);
  const told = recipients
    .filter(({ id }) => (sent.get(id) ?? 0) < WAITING_A_DAY.toOne)
    .slice(0, Math.max(0, WAITING_A_DAY.inAll - total));
  const mails = told.map((person) => ({ ...person, capsuleId: capsule.id }));
  await queue(tx, deps, 'capsule-waiting', mails);
  return mails.length;
}

/**
 * "It has opened", once to each recipient and to the creator, even with notifications turned off.
 */
export function queueOpenedNotices(
  tx: Queryable,
  deps: NoticeDeps,
  capsules: { id: string; creator: Person | null; recipients: Person[] }[],
): Promise<void> {
  const everyone = capsules.flatMap(({ id, creator, recipients }) => {
    const all = creator ? [...recipients, creator] : recipients;
    const people = new Map(all.map((person) => [person.id, person]));
    return [...people.values()].map((person) => ({ ...person, capsuleId: id }));
  });
  return queue(tx, deps, 'capsule-opened', everyone);
}

interface NewMailTo {
  /** Null where it is not known whether the address is a person's. */
  id: string | null;
  email: string;
  capsuleId?: string;
}

function queue(
  tx: Queryable,
  { clock, ids }: NoticeDeps,
  kind: MailKind,
  people: NewMailTo[],
): Promise<void> {
  const rows = people.map(
    ({ id: userId, email: toAddress, capsuleId = null }): NewMail => ({
      id: ids.uuid(),
      kind,
      toAddress,
      userId,
      capsuleId,
    }),
  );
  return queueMails(tx, rows, clock.now());
}
