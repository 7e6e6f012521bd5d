import { DAY_MS, REMINDER_AFTER_DAYS } from '../../shared/limits.ts';
import {
  chooseAddressChecks,
  claimDueYearly,
  findWithSealed,
  YEARLY_KINDS,
  type YearlyKind,
} from '../db/accounts/yearly-mails.ts';
import { queueLaterMails, queueMails } from '../db/emails/mails.ts';
import type { Queryable } from '../db/open.ts';
import type { Deps } from '../deps.ts';

const PEOPLE_AT_ONCE = 100;
/** Whose next capsule opens later than this is not asked about their address yet. */
const ASKED_BEFORE_MS = 5 * 365.25 * DAY_MS;

type YearlyDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>;

/** Queues the emails that come once a year, to everybody whose year is over, once each. */
export async function queueYearlyMails(deps: YearlyDeps, signal: AbortSignal): Promise<void> {
  const some = { now: deps.clock.now(), limit: PEOPLE_AT_ONCE };
  const steps = [
    (tx: Queryable) => chooseAddressChecks(tx, some),
    ...YEARLY_KINDS.map((kind) => (tx: Queryable) => queueSome(tx, deps, kind)),
  ];
  for (const step of steps) {
    let people = PEOPLE_AT_ONCE;
    while (people === PEOPLE_AT_ONCE && !signal.aborted) people = await deps.db.transaction(step);
  }
  deps.mailQueued();
}

async function queueSome(
  tx: Queryable,
  { clock, ids }: YearlyDeps,
  kind: YearlyKind,
): Promise<number> {
  const now = clock.now();
  const people = await claimDueYearly(tx, { kind, now, limit: PEOPLE_AT_ONCE });
  const told = kind === 'address-check' ? await onlyWhoWait(tx, people, now) : people;
  const mailTo = (userId: string, toAddress: string) => ({
    ...{ id: ids.uuid(), kind, toAddress, userId },
    ...{ capsuleId: null, requestedBy: null },
  });
  const rows = told.map(({ id, email }) => mailTo(id, email));
  await queueMails(tx, rows, now);
  if (kind === 'address-check') {
    // Unless it is answered by then: a mailbox that nobody reads takes emails all the same.
    const again = told.flatMap(({ id, secondEmail }) =>
      secondEmail ? { ...mailTo(id, secondEmail), toSecond: true } : [],
    );
    const nextAttemptAt = new Date(now.getTime() + REMINDER_AFTER_DAYS * DAY_MS);
    await queueLaterMails(tx, again, { now, nextAttemptAt });
  }
  return people.length;
}

async function onlyWhoWait<Person extends { id: string }>(
  tx: Queryable,
  people: Person[],
  now: Date,
): Promise<Person[]> {
  if (people.length === 0) return [];
  const until = new Date(now.getTime() + ASKED_BEFORE_MS);
  const ids = people.map(({ id }) => id);
  const waiting = await findWithSealed(tx, ids, { after: now, until });
  return people.filter(({ id }) => waiting.has(id));
}
