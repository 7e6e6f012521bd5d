import { sql } from 'drizzle-orm';
import type { CapsuleType } from '../../shared/api/capsules.ts';
import type { Queryable } from './open.ts';
import { prepared } from './prepared.ts';

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

/*
 * Two indexes have all that is counted, so that a person with 20,000 capsules costs 20,000 entries
 * of an index and not as many rows. A capsule to oneself is in both and counts once. What was put
 * away is no received capsule and not upcoming. The next capsules to open are the first entries of
 * the same indexes, from now on.
 */
const SUMMARY = sql<DashboardRow>`(
  with hidden as (
    select capsule_id as id from capsule_recipients where user_id = ${USER} and hidden
  ), created as (
    select id, created_at, unlock_at, date_to_unlock, total_bytes + text_bytes as bytes
    from capsules where creator_id = ${USER}
  ), received as (
    select capsule_id as id, created_at, unlock_at, date_to_unlock
    from capsule_recipients
    where user_id = ${USER} and capsule_id not in (select id from hidden)
  ), mine as (
    select coalesce(c.created_at, r.created_at) as created_at,
      coalesce(c.unlock_at, r.unlock_at) as unlock_at,
      coalesce(c.date_to_unlock, r.date_to_unlock) as day,
      c.id is not null as created, r.id is not null as received, coalesce(c.bytes, 0) as bytes,
      coalesce(c.unlock_at, r.unlock_at) > ${NOW} and coalesce(c.id, r.id) not in (select id from hidden) as upcoming
    from created c full join received r on r.id = c.id
  ), counted as (
    select width_bucket(created_at, ${value('monthStarts')}::timestamptz[]) as month,
      case when unlock_at <= ${NOW} and extract(year from day) = ${YEAR}
        then extract(month from day)::int end as unlock_month,
      count(*) as capsules,
      count(*) filter (where created) as created,
      count(*) filter (where received) as received,
      count(*) filter (where unlock_at > ${NOW}) as locked,
      count(*) filter (where upcoming and day <= ${TODAY} + 7) as this_week,
      count(*) filter (where upcoming and day <= ${TODAY} + 30) as this_month,
      sum(bytes) as bytes
    from mine group by 1, 2
  ), months as (
    select number as month,
      sum(created) filter (where month = number) as created,
      sum(received) filter (where month = number) as received,
      sum(capsules) filter (where unlock_month = number) as unlocked
    from counted, generate_series(1, 12) number
    where number in (month, unlock_month) group by number
  ), next as (
    select distinct on (unlock_at, id) * from (
      (select id, unlock_at, 'created' as type from capsules
        where creator_id = ${USER} and unlock_at > ${NOW} and id not in (select id from hidden)
        order by unlock_at, id limit ${value('next')})
      union all
      (select capsule_id, unlock_at, 'received' from capsule_recipients
        where user_id = ${USER} and unlock_at > ${NOW} and capsule_id not in (select id from hidden)
        order by unlock_at, capsule_id limit ${value('next')})
    ) first order by unlock_at, id, type limit ${value('next')}
  )
  select json_build_object(
    'total', coalesce(sum(capsules), 0),
    'created', coalesce(sum(created), 0),
    'received', coalesce(sum(received), 0),
    'locked', coalesce(sum(locked), 0),
    'thisWeek', coalesce(sum(this_week), 0),
    'thisMonth', coalesce(sum(this_month), 0),
    'bytes', coalesce(sum(bytes), 0),
    'next', (select coalesce(json_agg(json_build_object(
        'id', c.id, 'title', c.title, 'type', next.type, 'unlockDate', c.date_to_unlock,
        'timeZone', c.time_zone, 'senderName', coalesce(u.name, c.departed_creator, '')
      ) order by c.unlock_at, c.id), '[]')
      from next join capsules c on c.id = next.id left join users u on u.id = c.creator_id),
    'months', (select coalesce(json_agg(json_build_object('month', month,
        'created', coalesce(created, 0), 'received', coalesce(received, 0),
        'unlocked', coalesce(unlocked, 0))), '[]') from months)
  ) from counted)`;

const dashboard = prepared((db) =>
  db.select({ summary: SUMMARY }).from(sql`(values (1)) as one`).prepare('dashboard'),
);
