import { claimDueYearly, countWaiting } from '../db/accounts/yearly-emails.ts';
import type { Queryable } from '../db/open.ts';
import type { Deps } from '../deps.ts';
import { queueEmails } from '../domain/emails/queue.ts';

const PEOPLE_AT_ONCE = 100;

type YearlyDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>;

/** Queues the yearly email to everybody whose year is over, once each. */
export async function queueYearlyEmails(deps: YearlyDeps, signal: AbortSignal): Promise<void> {
  const some = { now: deps.clock.now(), limit: PEOPLE_AT_ONCE };
  const step = (tx: Queryable) => queueSome(tx, deps, some);
  let people = PEOPLE_AT_ONCE;
  while (people === PEOPLE_AT_ONCE && !signal.aborted) people = await deps.db.transaction(step);
  deps.mailQueued();
}

async function queueSome(
  tx: Queryable,
  deps: YearlyDeps,
  some: { now: Date; limit: number },
): Promise<number> {
  const people = await claimDueYearly(tx, some);
  const ids = people.map(({ id }) => id);
  const waiting = await countWaiting(tx, ids, some.now);
  const asked = people.filter(({ id }) => waiting.has(id));
  await queueEmails(tx, deps, 'address-check', asked);
  return people.length;
}
