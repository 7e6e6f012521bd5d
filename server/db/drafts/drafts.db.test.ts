import { drizzle } from 'drizzle-orm/postgres-js';
import { beforeAll, expect, it } from 'vitest';
import { DRAFTS_PER_PAGE } from '../../../shared/limits.ts';
import { sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { rare } from '../../../tests/support/rare.ts';
import type { Database } from '../open.ts';
import * as schema from '../schema.ts';
import { findChanges, findRevisionBefore, writeDraft } from './drafts.ts';

const DRAFTS = 100_000;
const AT_ONCE = 5_000;

const { database, world } = sharedMailWorld();
const sent: { query: string; params: unknown[] }[] = [];
let db: Database;
beforeAll(() => {
  const logger = {
    logQuery: (query: string, params: unknown[]) => void sent.push({ query, params }),
  };
  db = drizzle(database.sql, { schema, logger });
});

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: Plan[];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

rare(
  'lists 100,000 drafts of one person by walking along an index',
  async () => {
    const ada = await world.addPerson('Ada');
    const tim = await world.addPerson('Tim');
    const add = (userId: string, after: number) => database.sql`
    insert into drafts
      (user_id, id, revision, content, written_on, written_at, created_at)
    select ${userId}, gen_random_uuid(), ${after}::int + n, '{}', '', now(), now()
    from generate_series(1, ${AT_ONCE}) n`;
    for (let after = 0; after < DRAFTS; after += AT_ONCE) await add(ada.id, after);
    await add(tim.id, 0);
    await database.sql`analyze drafts`;
    sent.length = 0;
    for (const since of [0, DRAFTS / 2, DRAFTS - 5]) await findChanges(db, ada.id, since);
    await findRevisionBefore(db, ada.id, DRAFTS / 2);
    expect(sent).toHaveLength(7);
    for (const { query, params } of sent) {
      const explain = `explain (analyze, format json) ${query}`;
      const [row] = await database.sql.unsafe(explain, params as never[]);
      const nodes = nodesOf(row?.['QUERY PLAN'][0].Plan);
      const names = nodes.map((node) => node['Node Type']);
      expect(names.filter((name) => /Sort|Seq Scan|Bitmap/.test(name))).toEqual([]);
      expect(nodes.at(-1)?.['Index Name']).toBe('drafts_changes');
      expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBeLessThanOrEqual(
        DRAFTS_PER_PAGE + 1,
      );
    }
  },
  120_000,
);

rare(
  'ends a page before it becomes too large, and never before its first draft',
  async () => {
    const ada = await world.addPerson('Ada');
    const writing = { writtenOn: '', writtenAt: world.deps.clock.now() };
    const sizes = [700_000, 200_000, 200_000, 2_000_000, 10];
    const revisions: number[] = [];
    for (const size of sizes) {
      const name = { userId: ada.id, id: world.deps.ids.uuid() };
      revisions.push(
        await writeDraft(
          db,
          name,
          { content: 'x'.repeat(size), title: '', recipientNames: [], dateToUnlock: '' },
          writing,
        ),
      );
    }
    const pages: number[] = [];
    for (let since = 0, more = true; more; ) {
      const page = await findChanges(db, ada.id, since);
      pages.push(page.rows.length);
      since = page.rows.at(-1)?.revision ?? 0;
      more = page.more;
    }
    expect(pages).toEqual([2, 1, 1, 1]);
  },
  60_000,
);

it('gives every change a higher revision, also when the clock stands still', async () => {
  const ada = await world.addPerson('Ada');
  const name = { userId: ada.id, id: world.deps.ids.uuid() };
  const writtenAt = world.deps.clock.now();
  const write = (at: Date) =>
    writeDraft(
      db,
      name,
      { content: '{}', title: '', recipientNames: [], dateToUnlock: '' },
      { writtenOn: '', writtenAt: at },
    );
  const first = await write(writtenAt);
  expect(first).toBe(writtenAt.getTime());
  expect(await write(writtenAt)).toBe(first + 1);
  expect(await write(new Date(0))).toBe(first + 2);
});
