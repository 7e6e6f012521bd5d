import { sql } from 'drizzle-orm';
import type { CapsuleType } from '../../shared/api/capsules.ts';
import type { Queryable } from './open.ts';
import { prepared } from './prepared.ts';
import { leftBytesOf } from './used-bytes.ts';

export interface DashboardRow {
  total: number;
  created: number;
  received: number;
  locked: number;
  thisWeek: number;
  thisMonth: number;
  bytes: number;
  next: {
    id: string;
    title: string;
    type: CapsuleType;
    unlockDate: string;
    timeZone: string;
    senderName: string;
  }[];
  /** Only the months in which something happened; January is 1. */
  months: { month: number; created: number; received: number; unlocked: number }[];
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

/** From the first instant of the year to that of the next. */
const MONTH_STARTS = sql`${value('monthStarts')}::timestamptz[]`;
const IN_YEAR = sql`created_at >= (${MONTH_STARTS})[1] and created_at < (${MONTH_STARTS})[13]`;
const OPENS_IN_YEAR = sql`unlock_at > (${MONTH_STARTS})[1] - interval '2 days'
  and unlock_at < (${MONTH_STARTS})[13] + interval '2 days'
  and day >= make_date(${YEAR}, 1, 1) and day < make_date(${YEAR} + 1, 1, 1)`;

/*
 * Everything is counted in indexes, so that a person with 20,000 capsules costs no more than
 * entries of them; and only the totals pass all of a person's entries. What belongs to a year or to
 * the next weeks is a range of an index: unlock instants of a day in any two zones are less than
 * two days apart. A capsule to oneself is in both indexes and counts once. What was put away is no
 * received capsule and not upcoming.
 */
const SUMMARY = sql<DashboardRow>`(
  with hidden as (
    select capsule_id as id from capsule_recipients where user_id = ${USER} and hidden
  ), created as not materialized (
    select id, created_at, unlock_at, date_to_unlock as day, total_bytes + text_bytes as bytes
    from capsules where creator_id = ${USER}
  ), received as not materialized (
    select capsule_id as id, created_at, unlock_at, date_to_unlock as day
    from capsule_recipients
    where user_id = ${USER} and capsule_id not in (select id from hidden)
  ), counted as (
    select count(*) as capsules, count(c.id) as created, count(r.id) as received,
      count(*) filter (where coalesce(c.unlock_at, r.unlock_at) > ${NOW}) as locked,
      coalesce(sum(c.bytes), 0) as bytes
    from created c full join received r on r.id = c.id and r.unlock_at = c.unlock_at
  ), upcoming as (
    select id, day from created
      where unlock_at > ${NOW} and unlock_at < ${NOW} + interval '32 days'
        and id not in (select id from hidden)
    union
    select id, day from received
      where unlock_at > ${NOW} and unlock_at < ${NOW} + interval '32 days'
  ), unlocked as (
    select coalesce(c.day, r.day) as day
    from (select * from created where unlock_at <= ${NOW} and ${OPENS_IN_YEAR}) c
    full join (select * from received where unlock_at <= ${NOW} and ${OPENS_IN_YEAR}) r
      on r.id = c.id and r.unlock_at = c.unlock_at
  ), months as (
    select month, sum(created) as created, sum(received) as received, sum(unlocked) as unlocked
    from (
      select width_bucket(created_at, ${MONTH_STARTS}) as month,
        count(*) as created, 0 as received, 0 as unlocked
      from created where ${IN_YEAR} group by 1
      union all
      select width_bucket(created_at, ${MONTH_STARTS}), 0, count(*), 0
      from received where ${IN_YEAR} group by 1
      union all
      select extract(month from day)::int, 0, 0, count(*) from unlocked group by 1
    ) kinds group by month
  ), next as (
    select distinct on (unlock_at, id) * from (
      (select id, unlock_at, 'created' as type from created
        where unlock_at > ${NOW} and id not in (select id from hidden)
        order by unlock_at, id limit ${value('next')})
      union all
      (select id, unlock_at, 'received' from received where unlock_at > ${NOW}
        order by unlock_at, id limit ${value('next')})
    ) first order by unlock_at, id, type limit ${value('next')}
  )
  select json_build_object(
    'total', capsules,
    'created', created,
    'received', received,
    'locked', locked,
    'thisWeek', (select count(*) from upcoming where day <= ${TODAY} + 7),
    'thisMonth', (select count(*) from upcoming where day <= ${TODAY} + 30),
    'bytes', bytes + ${leftBytesOf(USER)},
    'next', (select coalesce(json_agg(json_build_object(
        'id', c.id, 'title', c.title, 'type', next.type, 'unlockDate', c.date_to_unlock,
        'timeZone', c.time_zone, 'senderName', coalesce(u.name, c.departed_creator, '')
      ) order by c.unlock_at, c.id), '[]')
      from next join capsules c on c.id = next.id left join users u on u.id = c.creator_id),
    'months', (select coalesce(json_agg(json_build_object('month', month,
        'created', created, 'received', received, 'unlocked', unlocked)), '[]') from months)
  ) from counted)`;

const dashboard = prepared((db) =>
  db.select({ summary: SUMMARY }).from(sql`(values (1)) as one`).prepare('dashboard'),
);
