import { DAY_MS, REMINDER_AFTER_DAYS } from '../../shared/limits.ts';
import { later } from '../clock/clock.ts';
import {
  chooseAddressChecks,
  claimDueYearly,
  findWithSealed,
  YEARLY_KINDS,
  type YearlyKind,
} from '../db/accounts/yearly-emails.ts';
import { claimUntouched } from '../db/drafts/drafts.ts';
import type { Queryable } from '../db/open.ts';
import type { Deps } from '../deps.ts';
import { queueEmails } from '../domain/emails/queue.ts';

const PEOPLE_AT_ONCE = 100;
/** Whose next capsule opens later than this is not asked about their address yet. */
const ASKED_BEFORE_MS = 5 * 365.25 * DAY_MS;

type YearlyDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>;

/** Queues the emails that come once a year, and each two years about drafts, to everybody whose time is over, once each. */
export async function queueYearlyEmails(deps: YearlyDeps, signal: AbortSignal): Promise<void> {
  const some = { now: deps.clock.now(), limit: PEOPLE_AT_ONCE };
  const steps = [
    (tx: Queryable) => chooseAddressChecks(tx, some),
    ...YEARLY_KINDS.map((kind) => (tx: Queryable) => queueSome(tx, deps, kind)),
    async (tx: Queryable) => {
      const people = await claimUntouched(tx, some);
      await queueEmails(tx, deps, 'draft-untouched', people);
      return people.length;
    },
  ];
  for (const step of steps) {
    let people = PEOPLE_AT_ONCE;
    while (people === PEOPLE_AT_ONCE && !signal.aborted) people = await deps.db.transaction(step);
  }
  deps.mailQueued();
}

async function queueSome(tx: Queryable, deps: YearlyDeps, kind: YearlyKind): Promise<number> {
  const now = deps.clock.now();
  const people = await claimDueYearly(tx, { kind, now, limit: PEOPLE_AT_ONCE });
  if (kind !== 'address-check') {
    await queueEmails(tx, deps, kind, people);
    return people.length;
  }
  // Unless it is answered by then: a mailbox that nobody reads takes emails all the same. Where the
  // main one takes none, the second one is asked now.
  const secondAt = later(now, REMINDER_AFTER_DAYS * DAY_MS);
  const asked = (await onlyWhoWait(tx, people, now)).map((person) => ({
    id: person.id,
    ...(person.secondEmail && !person.emailBouncedAt && { secondAt }),
  }));
  await queueEmails(tx, deps, kind, asked);
  return people.length;
}

async function onlyWhoWait<Person extends { id: string }>(
  tx: Queryable,
  people: Person[],
  now: Date,
): Promise<Person[]> {
  if (people.length === 0) return [];
  const until = later(now, ASKED_BEFORE_MS);
  const ids = people.map(({ id }) => id);
  const waiting = await findWithSealed(tx, ids, { after: now, until });
  return people.filter(({ id }) => waiting.has(id));
}
