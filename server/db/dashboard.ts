import { type SQL, sql } from 'drizzle-orm';
import type { CapsuleType } from '../../shared/api/capsules.ts';
import type { Queryable } from './open.ts';

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
  /** Only the months in which something happened. */
  months: { month: string; created: number; received: number; unlocked: number }[];
}

/**
 * Everything the dashboard counts, in one statement and so of one moment.
 * @param input.today the day at `now` on the calendar of `timeZone`
 */
export async function findDashboard(
  db: Queryable,
  input: { userId: string; now: Date; today: string; timeZone: string; year: number; next: number },
): Promise<DashboardRow> {
  const now = sql`${input.now.toISOString()}::timestamptz`;
  const today = sql`${input.today}::date`;
  const rows = await db.execute<{ summary: DashboardRow }>(sql`
    with mine as (
      select c.id, c.title, c.creator_id, c.departed_creator, c.created_at, c.unlock_at, c.date_to_unlock, c.time_zone,
        c.total_bytes, bool_or(m.created) as created, bool_or(not m.created) as received
      from (
        select id as capsule_id, true as created from capsules where creator_id = ${input.userId}
        union all
        select capsule_id, false from capsule_recipients where user_id = ${input.userId}
      ) m join capsules c on c.id = m.capsule_id
      group by c.id
    ), events as (
      ${monthOf(sql`created_at at time zone ${input.timeZone}`)}, created, received, false as unlocked
      from mine
      union all
      ${monthOf(sql`date_to_unlock`)}, false, false, true from mine where unlock_at <= ${now}
    ), next as (
      select m.*, coalesce(u.name, m.departed_creator, '') as sender_name from mine m left join users u on u.id = m.creator_id
      where m.unlock_at > ${now} order by m.unlock_at, m.id limit ${input.next}
    )
    select json_build_object(
      'total', count(*),
      'created', count(*) filter (where created),
      'received', count(*) filter (where received),
      'locked', count(*) filter (where unlock_at > ${now}),
      'thisWeek', count(*) filter (where unlock_at > ${now} and date_to_unlock <= ${today} + 7),
      'thisMonth', count(*) filter (where unlock_at > ${now} and date_to_unlock <= ${today} + 30),
      'bytes', coalesce(sum(total_bytes) filter (where created), 0),
      'next', (select coalesce(json_agg(json_build_object(
          'id', id, 'title', title, 'type', case when created then 'created' else 'received' end,
          'unlockDate', date_to_unlock, 'timeZone', time_zone, 'senderName', sender_name
        ) order by unlock_at, id), '[]') from next),
      'months', (select coalesce(json_agg(m), '[]') from (
          select month, count(*) filter (where created) as created,
            count(*) filter (where received) as received, count(*) filter (where unlocked) as unlocked
          from events where month like ${`${input.year}-__`} group by month) m)
    ) as summary from mine`);
  const [row] = rows;
  if (!row) throw new Error('An aggregate without groups returns one row.');
  return row.summary;
}

function monthOf(value: SQL): SQL {
  return sql`select to_char(${value}, 'YYYY-MM') as month`;
}
