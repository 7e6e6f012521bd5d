import { lockReached, setBounced } from '../../db/emails/bounces.ts';
import { type Again, type SendingRow, sendAgain } from '../../db/emails/sendings.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';

/** Owns when an email goes out once more, by another sending. */

type AgainDeps = { db: Queryable } & Pick<Deps, 'clock' | 'ids'>;

/**
 * An email came back, because its mailbox takes none. If it went to the person's main address, that
 * is noted with them, and the email goes once more, to the second address. An email that comes back
 * from there stays where it is.
 */
export async function noteBounce(deps: AgainDeps, sending: SendingRow, at: Date): Promise<void> {
  const person = await setBounced(deps.db, sending, at);
  if (person?.secondEmail) await goOn(deps, sending);
}

/**
 * An email could not be handed over for another reason, for a month or for good: its mailbox is full,
 * or nobody knows why. That says nothing about the next one, but this one goes once more, to the second
 * address.
 */
export async function noteFailure(deps: AgainDeps, sending: SendingRow): Promise<void> {
  const person = await lockReached(deps.db, sending);
  if (person?.secondEmail) await goOn(deps, sending);
}

async function goOn(deps: AgainDeps, sending: SendingRow): Promise<void> {
  // What is for one address goes nowhere else.
  if (sending.slot !== 'main') return;
  await sendOnceMore(deps, sending, { cause: 'second-address', slot: 'second' });
}

/** Sends an email once more, from now on. @returns false if a later sending of it was there already */
export function sendOnceMore(
  { db, clock, ids }: AgainDeps,
  sending: Pick<SendingRow, 'emailId' | 'number' | 'urgency' | 'slot'>,
  why: Pick<Again, 'cause'> & Partial<Pick<Again, 'slot'>>,
): Promise<boolean> {
  const now = clock.now();
  const again = { id: ids.uuid(), slot: sending.slot, now, nextAttemptAt: now, ...why };
  return sendAgain(db, sending, again);
}
