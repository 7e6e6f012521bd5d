import { desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { emails, type OUTCOMES, sendings } from '../schema.ts';

/** What became of an email, in one word. `queued`: it waits to be sent, or to be sent again. */
export type State = 'queued' | Exclude<(typeof OUTCOMES)[number], 'dropped' | 'withheld'>;

const isOfIt = eq(sendings.emailId, emails.id);
const isDropped = sql`${sendings.outcome} = 'dropped'`;
const isWithheld = sql`${sendings.outcome} = 'withheld'`;

/**
 * What people see of an email, to be joined to `emails`: what became of its last sending that was not
 * dropped. There is no row if all of them were.
 */
export const became = (db: Queryable) =>
  db
    .select({
      address: sendings.address,
      attempts: sendings.attempts,
      reason: sendings.reason,
      state:
        sql<State>`case when ${isWithheld} then 'sent' else coalesce(${sendings.outcome}, 'queued') end`.as(
          'state',
        ),
      isWithheld: sql<boolean>`coalesce(${isWithheld}, false)`.as('is_withheld'),
      /** Since when; null while it is queued. */
      at: sql<Date | null>`case when ${sendings.outcome} = 'unknown' then coalesce(${sendings.begunAt}, ${sendings.outcomeAt}) else ${sendings.outcomeAt} end`
        .mapWith(sendings.outcomeAt)
        .as('at'),
      /** When it was sent last, by this sending or an earlier one. */
      lastSentAt:
        sql<Date | null>`max(case when ${isWithheld} then ${sendings.outcomeAt} else ${sendings.sentAt} end) over ()`
          .mapWith(sendings.sentAt)
          .as('last_sent_at'),
    })
    .from(sendings)
    .where(sql`${isOfIt} and (${isDropped}) is not true`)
    .orderBy(desc(sendings.number))
    .limit(1)
    .as('became');
