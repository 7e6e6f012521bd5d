import { sql } from 'drizzle-orm';
import type { CapsuleType } from '../../../shared/api/capsules.ts';
import type { Queryable } from '../open.ts';
import { prepared } from '../prepared.ts';
import { ownLimitOf, unlistedBytesOf, unsealedBytesOf } from '../storage/used-bytes.ts';

export interface DashboardRow {
  total: number;
  created: number;
  received: number;
  locked: number;
  thisWeek: number;
  thisMonth: number;
  bytes: number;
  /** Of this person alone. Null where the site's limit applies. */
  ownLimitMB: number | null;
  next: {
    id: string;
    title: string;
    type: CapsuleType;
    unlockDate: string;
    timeZone: string;
    senderName: string;
  }[];
  /** Of January and so on, all twelve. */
  months: { created: number; received: number; unlocked: number }[];
}

/**
 * Everything the dashboard counts, in one statement and so of one moment.
 * Zones are reckoned with by the caller alone: PostgreSQL knows others, and some by other names.
 * @param input.today the day at `now` for who asks
 * @param input.monthStarts the first instants of the year's months for who asks, and of the next January
 */
export async function findDashboard(
  db: Queryable,
  input: {
    userId: string;
    now: Date;
    today: string;
    year: number;
    monthStarts: Date[];
    next: number;
  },
): Promise<DashboardRow> {
  const [row] = await dashboard(db).execute({
    ...input,
    now: input.now.toISOString(),
    monthStarts: `{${input.monthStarts.map((start) => start.toISOString()).join()}}`,
  });
  if (!row) throw new Error('One row was selected.');
  return row.summary;
}

const value = (name: string) => sql.placeholder(name);
const USER = value('userId');
const NOW = sql`${value('now')}::timestamptz`;
const TODAY = sql`${value('today')}::date`;
const YEAR = sql`${value('year')}::int`;

/** The first instants of the year's months, and of the next year. */
const STARTS = sql`${value('monthStarts')}::timestamptz[]`;
const IN_MONTH = sql`created_at >= (${STARTS})[month] and created_at < (${STARTS})[month + 1]`;
const MONTH = sql`make_date(${YEAR}, month, 1)`;
const OPENED_IN_MONTH = sql`unlock_at <= ${NOW} and unlock_at > (${STARTS})[month] - interval '2 days'
  and unlock_at < (${STARTS})[month + 1] + interval '2 days'
  and day >= ${MONTH} and day < ${MONTH} + interval '1 month'`;

/*
 * Everything is counted in indexes, so that a person with 20,000 capsules costs no more than
 * entries of them; and only the totals pass all of a person's entries. What belongs to a month or to
 * the next weeks is a range of an index: unlock instants of a day in any two zones are less than
 * two days apart. A capsule to oneself (`own`) is in both indexes and counts once. What was put
 * away is no received capsule and not upcoming.
 */
const SUMMARY = sql<DashboardRow>`(
  with hidden as (
    select capsule_id as id from capsule_recipients where user_id = ${USER} and hidden
  ), created as not materialized (
    select id, created_at, unlock_at, date_to_unlock as day, total_bytes + text_bytes as bytes
    from capsules where creator_id = ${USER}
  ), received as not materialized (
    select capsule_id as id, created_at, unlock_at, date_to_unlock as day,
      is_creator as own
    from capsule_recipients
    where user_id = ${USER} and capsule_id not in (select id from hidden)
  ), counted as (
    select created, received, created + others as capsules, locked + others_locked as locked, bytes
    from (
      select count(*) as created, count(*) filter (where unlock_at > ${NOW}) as locked,
        coalesce(sum(bytes), 0) as bytes
      from created
    ) c, (
      select count(*) as received, count(*) filter (where not own) as others,
        count(*) filter (where not own and unlock_at > ${NOW}) as others_locked
      from received
    ) r
  ), upcoming as (
    select day from created
      where unlock_at > ${NOW} and unlock_at < ${NOW} + interval '32 days'
        and id not in (select id from hidden)
    union all
    select day from received
      where unlock_at > ${NOW} and unlock_at < ${NOW} + interval '32 days' and not own
  ), months as (
    select month,
      (select count(*) from created where ${IN_MONTH}) as created,
      (select count(*) from received where ${IN_MONTH}) as received,
      (select count(*) from created where ${OPENED_IN_MONTH})
        + (select count(*) from received where ${OPENED_IN_MONTH} and not own) as unlocked
    from generate_series(1, 12) month
  ), next as (
    select * from (
      (select id, unlock_at, 'created' as type from created
        where unlock_at > ${NOW} and id not in (select id from hidden)
        order by unlock_at, id limit ${value('next')})
      union all
      (select id, unlock_at, 'received' from received where unlock_at > ${NOW} and not own
        order by unlock_at, id limit ${value('next')})
    ) first order by unlock_at, id limit ${value('next')}
  )
  select json_build_object(
    'total', capsules,
    'created', created,
    'received', received,
    'locked', locked,
    'thisWeek', (select count(*) from upcoming where day <= ${TODAY} + 7),
    'thisMonth', (select count(*) from upcoming where day <= ${TODAY} + 30),
    'bytes', bytes + ${unsealedBytesOf(USER)} + ${unlistedBytesOf(USER)},
    'ownLimitMB', ${ownLimitOf(USER)},
    'next', (select coalesce(json_agg(json_build_object(
        'id', c.id, 'title', c.title, 'type', next.type, 'unlockDate', c.date_to_unlock,
        'timeZone', c.time_zone, 'senderName', coalesce(u.name, c.departed_creator, '')
      ) order by c.unlock_at, c.id), '[]')
      from next join capsules c on c.id = next.id left join users u on u.id = c.creator_id),
    'months', (select json_agg(json_build_object(
        'created', created, 'received', received, 'unlocked', unlocked) order by month) from months)
  ) from counted)`;

const dashboard = prepared((db) =>
  db.select({ summary: SUMMARY }).from(sql`(values (1)) as one`).prepare('dashboard'),
);
