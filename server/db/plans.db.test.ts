import { drizzle } from 'drizzle-orm/postgres-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { getConfig } from '../config.ts';
import { getCapsule, listCapsules } from '../domain/capsules.ts';
import { getDashboardSummary } from '../domain/dashboard.ts';
import { listOpened } from '../domain/opened.ts';
import { areQueuedNotices, claimDueMails } from './mails.ts';
import { countWaitingNotices } from './notices.ts';
import type { Database } from './open.ts';
import * as schema from './schema.ts';
import { claimOpenedCapsules, takeBackOpenedNotices } from './unlock-notices.ts';
import { searchUsers } from './users.ts';

/*
 * The statements of frequent calls, as they are sent for a person with 20,000 capsules created and
 * 20,000 received. Reading or sorting a whole list would make each page slower with every capsule.
 */

const HEAVY = sampleId(1);
const NOW = new Date('2030-01-01T00:00:00Z');
/** A page, and what belongs to its capsules, are far fewer rows than that. */
const ROWS_MAX = 2_000;

let database: TestDatabase;
let db: Database;
let sent: { query: string; params: unknown[] }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const logger = {
    logQuery: (query: string, params: unknown[]) => void sent.push({ query, params }),
  };
  db = drizzle(database.sql, { schema, logger });
  await seed();
}, 300_000);
afterAll(() => database.close());

/** 100,000 capsules: a fifth the heavy person's own, a fifth sent to them by others. */
async function seed(): Promise<void> {
  const sql = await database.sql.reserve();
  // The seed takes longer than a call may, and vacuum marks only rows that are flushed.
  await sql`set statement_timeout = 0`;
  await sql`set synchronous_commit = on`;
  await sql`insert into users (id, email, name, password_hash, created_at)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
        'person-' || n || '@example.org', 'Person ' || n, 'none', '2026-01-01'
      from generate_series(1, 200) n`;
  await sql`insert into users (id, email, name, password_hash, created_at)
      select gen_random_uuid(), 'neighbour-' || n || '@example.org',
        (array['Anna', 'Bernard', 'Chris'])[1 + n % 3] || ' Smith ' || n, 'none', '2026-01-01'
      from generate_series(1, 30000) n`;
  await sql`insert into capsules (id, creator_id, title, description, personal_message,
        date_to_unlock, time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at,
        opened_notice_at)
      select gen_random_uuid(),
        ('00000000-0000-4000-8000-' || lpad((case when n % 5 = 0 then 1 else 2 + n % 199 end)::text, 12, '0'))::uuid,
        'Title ' || n, 'Words', 'A message', date '2028-01-01' + n % 1500, 'UTC',
        timestamptz '2028-01-01' + (n % 1500) * interval '1 day', false, 0, 0,
        timestamptz '2027-01-01' + n * interval '1 second',
        case when n % 1500 < 731 then timestamptz '2030-01-01' end
      from generate_series(1, 100000) n`;
  await sql`insert into capsule_recipients
        (capsule_id, user_id, position, created_at, unlock_at, date_to_unlock)
      select id, case when extract(second from created_at)::int % 5 = 1 then ${HEAVY}::uuid else ${sampleId(2)}::uuid end, 0,
        created_at, unlock_at, date_to_unlock
      from capsules`;
  await sql`insert into mails
      (id, kind, to_address, user_id, capsule_id, state, next_attempt_at, created_at)
    select gen_random_uuid(), 'capsule-waiting', 'a@example.org', ${HEAVY}, id, 'queued',
      '2029-12-31', '2029-12-31'
    from capsules limit 20000`;
  // Not only counted, but marked as visible to all, as they are a while after they were written.
  await sql`vacuum analyze`;
  await sql`reset all`;
  sql.release();
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Heap Fetches'?: number;
  Plans?: Plan[];
}

/**
 * What is wrong with the plans of the statements that `work` sends. Counting may pass the entries
 * of an index, but not the rows of a table.
 */
async function findings(work: () => Promise<unknown>): Promise<string[]> {
  sent = [];
  await work();
  expect(sent.length).toBeGreaterThan(0);
  const found: string[] = [];
  for (const { query, params } of sent) {
    const explain = `explain (analyze, format json) ${query}`;
    const [row] = await database.sql.unsafe(explain, params as never[]);
    for (const plan of nodesOf(row?.['QUERY PLAN'][0].Plan)) {
      const { 'Node Type': node, 'Relation Name': table = '' } = plan;
      const rows = rowsOf(plan);
      if (rows > ROWS_MAX) found.push(`${node} ${table} ${rows}: ${shortened(query)}`);
    }
  }
  return found;
}

function shortened(query: string): string {
  return query.replace(/\s+/g, ' ').slice(0, 120);
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** How many rows of a table the node reads, or how many rows it sorts. */
function rowsOf(plan: Plan): number {
  const { 'Node Type': node, Plans = [] } = plan;
  if (node === 'Sort') return Math.max(...Plans.map(passedBy));
  if (node === 'Index Only Scan') return plan['Heap Fetches'] ?? 0;
  return plan['Relation Name'] ? passedBy(plan) : 0;
}

function passedBy(plan: Plan): number {
  return (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
}

describe('read no more than they show:', () => {
  const actor = { userId: HEAVY };
  const deps = () => ({ db, clock: { now: () => NOW } });

  it.each(['created', 'received'] as const)('the pages of the %s list', async (type) => {
    const list = (page: number) => () => listCapsules(deps(), actor, { type, page, limit: 6 });
    expect(await findings(list(1))).toEqual([]);
    const last = Math.ceil(20_000 / 6);
    expect(await findings(list(last))).toEqual([]);
  });

  it('the summary', async () => {
    const config = getConfig({});
    const summary = () =>
      getDashboardSummary({ ...deps(), config }, actor, { year: 2029, timeZone: 'UTC' });
    expect(await findings(summary)).toEqual([]);
    expect(await summary()).toMatchObject({ createdCapsules: 20_000, receivedCapsules: 20_000 });
  });

  it('one capsule', async () => {
    const { capsules } = await listCapsules(deps(), actor, { type: 'created', page: 1, limit: 1 });
    expect(await findings(() => getCapsule(deps(), actor, capsules[0]?.id ?? ''))).toEqual([]);
  });

  it('what has opened lately', async () => {
    const since = new Date(NOW.getTime() - 30 * 86_400_000).toISOString();
    expect(await findings(() => listOpened(deps(), actor, { since }))).toEqual([]);
  });

  it('the jobs that announce what has opened, and take back what has not', async () => {
    expect(await findings(() => claimOpenedCapsules(db, { now: NOW, limit: 100 }))).toEqual([]);
    const takeBack = () => takeBackOpenedNotices(db, { instant: NOW, limit: 100 });
    expect(await findings(takeBack)).toEqual([]);
  });

  it.each(['a', 'an', 'ann', 'anna smi', 's', 'smi', 'x', 'xq', 'xqz', 'neighbour-2', '@'])(
    'a search for people by "%s"',
    async (text) => {
      expect(await findings(() => searchUsers(db, text, { limit: 20 }))).toEqual([]);
    },
  );

  it('the next emails of very many, and whether many notices are queued', async () => {
    const some = { now: NOW, leaseMs: 600_000, limit: 5 };
    expect(await findings(() => claimDueMails(db, some))).toEqual([]);
    expect(await findings(() => areQueuedNotices(db, 2_000))).toEqual([]);
  });

  it('the notices that a creator has caused in a day', async () => {
    const since = new Date('2027-01-02T03:40:00Z');
    expect(await findings(() => countWaitingNotices(db, HEAVY, since))).toEqual([]);
  });
});
