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
const NOW = sql`${value('now')}::timestamptz`;
const TODAY = sql`${value('today')}::date`;

const SUMMARY = sql<DashboardRow>`(
  with mine as (
    select c.id, c.title, c.creator_id, c.departed_creator, c.created_at, c.unlock_at,
      c.date_to_unlock, c.time_zone, c.total_bytes,
      bool_or(m.created) as created, bool_or(not m.created) as received
    from (
      select id as capsule_id, true as created from capsules where creator_id = ${value('userId')}
      union all
      select capsule_id, false from capsule_recipients where user_id = ${value('userId')}
    ) m join capsules c on c.id = m.capsule_id
    group by c.id
  ), events as (
    select width_bucket(created_at, ${value('monthStarts')}::timestamptz[]) as month,
      created, received, false as unlocked
    from mine
    union all
    select extract(month from date_to_unlock)::int, false, false, true from mine
    where unlock_at <= ${NOW} and extract(year from date_to_unlock) = ${value('year')}::int
  ), next as (
    select m.*, coalesce(u.name, m.departed_creator, '') as sender_name
    from mine m left join users u on u.id = m.creator_id
    where m.unlock_at > ${NOW} order by m.unlock_at, m.id limit ${value('next')}
  )
  select json_build_object(
    'total', count(*),
    'created', count(*) filter (where created),
    'received', count(*) filter (where received),
    'locked', count(*) filter (where unlock_at > ${NOW}),
    'thisWeek', count(*) filter (where unlock_at > ${NOW} and date_to_unlock <= ${TODAY} + 7),
    'thisMonth', count(*) filter (where unlock_at > ${NOW} and date_to_unlock <= ${TODAY} + 30),
    'bytes', coalesce(sum(total_bytes) filter (where created), 0),
    'next', (select coalesce(json_agg(json_build_object(
        'id', id, 'title', title, 'type', case when created then 'created' else 'received' end,
        'unlockDate', date_to_unlock, 'timeZone', time_zone, 'senderName', sender_name
      ) order by unlock_at, id), '[]') from next),
    'months', (select coalesce(json_agg(m), '[]') from (
        select month, count(*) filter (where created) as created,
          count(*) filter (where received) as received, count(*) filter (where unlocked) as unlocked
        from events where month between 1 and 12 group by month) m)
  ) from mine)`;

const dashboard = prepared((db) =>
  db.select({ summary: SUMMARY }).from(sql`(values (1)) as one`).prepare('dashboard'),
);
