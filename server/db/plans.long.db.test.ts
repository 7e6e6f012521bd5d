import { randomUUID } from 'node:crypto';
import { drizzle } from 'drizzle-orm/postgres-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCapsuleSchema } from '../../shared/api/new-capsule.ts';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { seedHeavyPerson } from '../../tests/support/heavy-person.ts';
import { createMailWorld, GO_ON } from '../../tests/support/mail-world.ts';
import { createMemoryStore } from '../../tests/support/memory-store.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { createSessions } from '../auth/sessions.ts';
import { getConfig } from '../config.ts';
import { deleteAccount } from '../domain/accounts/delete-account.ts';
import { getPublicProfile } from '../domain/accounts/people.ts';
import { getCapsule, hideCapsule, listCapsules } from '../domain/capsules/capsules.ts';
import { getDashboardSummary } from '../domain/capsules/dashboard.ts';
import { checkNewCapsule } from '../domain/capsules/new-capsule.ts';
import { listOpened, markSeen } from '../domain/capsules/opened.ts';
import { sealCapsule } from '../domain/capsules/seal-capsule.ts';
import { announceOpenings } from '../jobs/announce-openings.ts';
import { removeReleased } from '../jobs/remove-files.ts';
import { sweep } from '../jobs/sweep.ts';
import { lockUserWithDue } from './accounts/account-changes.ts';
import { findDueDeletion, removeUnreachable } from './accounts/account-deletion.ts';
import { findUserAt, isReserved, mergeInvited, setAddresses } from './accounts/addresses.ts';
import { deleteEmailsTo, withholdEmails } from './accounts/emails-about.ts';
import { searchUsers } from './accounts/search-users.ts';
import { findUserByEmail } from './accounts/users.ts';
import { claimDueYearly, countWaiting } from './accounts/yearly-emails.ts';
import { emptyBins, putInBin, removeFromBin, takeFromBin } from './capsules/bin.ts';
import { findOwnCapsules } from './capsules/capsule-pages.ts';
import { insertBlock, lockAgainstSealing, putAwayFrom, removeBlock } from './doors/blocks.ts';
import { findPersonToReset } from './email-content/subjects.ts';
import {
  countQueuedSince,
  findQueued,
  findSentInvitations,
  lockWaiting,
} from './emails/notices.ts';
import { claimOpenedCapsules, takeBackAnnouncements } from './emails/openings.ts';
import { isSending, noteOutcome } from './emails/outcomes.ts';
import { readQueues } from './emails/queues.ts';
import { claimBatch, claimDue, claimUrgent, countDueOpenings } from './emails/sendings.ts';
import type { Database } from './open.ts';
import {
  claimDuePushes,
  countLeft,
  queuePushes,
  removeGone,
  removeSubscription,
  saveSubscription,
} from './push/push.ts';
import * as schema from './schema.ts';
import { raiseLastSeen } from './server-state.ts';
import { releaseFiles } from './storage/pending-files.ts';
import { isNamed } from './storage/stored.ts';
import { findUsedBytes } from './storage/used-bytes.ts';

/*
 * The statements of frequent calls, as they are sent for a person with 20,000 capsules created and
 * 20,000 received, 2,000 of them put away. Reading or sorting a whole list would make each page slower with every capsule.
 */

const HEAVY = sampleId(1);
const NOW = new Date('2030-01-01T00:00:00Z');
/** A page, and what belongs to its capsules, are far fewer rows than that. */
const ROWS_MAX = 2_000;

let database: TestDatabase;
let db: Database;
/** Every statement that these tests have sent. */
const all = new Map<string, never[]>();
let sent: { query: string; params: unknown[] }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const logger = {
    logQuery: (query: string, params: unknown[]) => void sent.push({ query, params }),
  };
  db = drizzle(database.sql, { schema, logger });
  await seedHeavyPerson(database, HEAVY);
}, 300_000);
afterAll(() => database.close());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Heap Fetches'?: number;
  Plans?: Plan[];
  'Index Name'?: string;
}

/**
 * What is wrong with the plans of the statements that `work` sends. Counting may pass the entries
 * of an index, but not the rows of a table.
 */
async function findings(work: () => Promise<unknown>, rowsMax = ROWS_MAX): Promise<string[]> {
  const found: string[] = [];
  for (const { query, params } of await statementsOf(work)) {
    const explain = `explain (analyze, format json) ${query}`;
    const [row] = await database.sql.unsafe(explain, params);
    for (const plan of nodesOf(row?.['QUERY PLAN'][0].Plan)) {
      const { 'Node Type': node, 'Relation Name': table = '' } = plan;
      const rows = rowsOf(plan);
      if (rows > rowsMax) found.push(`${node} ${table} ${rows}: ${shortened(query)}`);
    }
  }
  return found;
}

/** Large tables. Others have a row for each file or link under way. */
const LARGE = [
  'users',
  'sessions',
  'capsules',
  'capsule_recipients',
  'capsule_keys',
  'emails',
  'notices',
  'sendings',
  'push_subscriptions',
  'push_messages',
];

/** Of statements that write, and so cannot simply be run again: which of them scan a large table. */
async function scans(work: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  for (const { query, params } of await statementsOf(work)) {
    const [row] = await database.sql.unsafe(`explain (format json) ${query}`, params);
    for (const plan of nodesOf(row?.['QUERY PLAN'][0].Plan)) {
      const { 'Node Type': node, 'Relation Name': table = '' } = plan;
      if (node === 'Seq Scan' && LARGE.includes(table)) {
        found.push(`${node} ${table}: ${shortened(query)}`);
      }
    }
  }
  return found;
}

async function statementsOf(work: () => Promise<unknown>) {
  sent = [];
  await work();
  expect(sent.length).toBeGreaterThan(0);
  for (const { query, params } of sent) all.set(query, params as never[]);
  return sent.map(({ query, params }) => ({ query, params: params as never[] }));
}

/** Runs `work` in a transaction that is taken back. */
async function takenBack(work: (tx: Database) => Promise<unknown>): Promise<void> {
  const isTakenBack = new Error('taken back');
  const running = db.transaction(async (tx) => {
    await work(tx as unknown as Database);
    throw isTakenBack;
  });
  await running.catch((error: unknown) => {
    if (error !== isTakenBack) throw error;
  });
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

  it('the figures of the queues', async () => {
    expect(await findings(() => readQueues(db, NOW))).toEqual([]);
  });

  it.each(['created', 'received'] as const)('the pages of the %s list', async (type) => {
    const list = (page: number) => () => listCapsules(deps(), actor, { type, page, limit: 6 });
    expect(await findings(list(1))).toEqual([]);
    const last = Math.ceil(18_000 / 6);
    expect(await findings(list(last))).toEqual([]);
  });

  it.each(['opening', 'sealed', 'ready', 'opened'] as const)('the lists by %s', async (view) => {
    for (const type of ['created', 'received'] as const) {
      const list = (page: number) => () =>
        listCapsules(deps(), actor, { type, view, page, limit: 6 });
      expect(await findings(list(1))).toEqual([]);
      expect(await findings(list(1_000))).toEqual([]);
    }
  });

  it('the list of what was put away', async () => {
    const list = (page: number) => () =>
      listCapsules(deps(), actor, { type: 'received', hidden: true, page, limit: 6 });
    expect(await findings(list(1))).toEqual([]);
    expect(await findings(list(333))).toEqual([]);
    expect((await list(1)()).pagination.totalItems).toBe(2_000);
  });

  it('the summary', async () => {
    const config = getConfig({});
    const summary = () =>
      getDashboardSummary({ ...deps(), config }, actor, { year: 2029, timeZone: 'UTC' });
    expect(await findings(summary)).toEqual([]);
    expect(await summary()).toMatchObject({ createdCapsules: 20_000, receivedCapsules: 18_000 });
  });

  it('one capsule', async () => {
    const { capsules } = await listCapsules(deps(), actor, { type: 'created', page: 1, limit: 1 });
    expect(await findings(() => getCapsule(deps(), actor, capsules[0]?.id ?? ''))).toEqual([]);
  });

  it('what waits to be opened', async () => {
    expect(await findings(() => listOpened(deps(), actor))).toEqual([]);
    expect((await listOpened(deps(), actor)).total).toBeGreaterThan(5_000);
  });

  it('the jobs that announce what has opened, and take back what has not', async () => {
    expect(await findings(() => claimOpenedCapsules(db, { now: NOW, limit: 100 }))).toEqual([]);
    const some = { now: NOW, limit: 100 };
    expect(await findings(() => claimDueYearly(db, some))).toEqual([]);
    expect(await findings(() => countWaiting(db, [HEAVY], NOW))).toEqual([]);
    const takeBack = () => takeBackAnnouncements(db, { instant: NOW, limit: 100 });
    expect(await findings(takeBack)).toEqual([]);
  });

  it.each([
    'a',
    'an',
    'ann',
    'anna smi',
    's',
    'smi',
    'x',
    'xq',
    'xqz',
    'neighbour-2',
    'neighbour-2@example.org',
    '@',
  ])('a search for people by "%s"', async (text) => {
    const options = { limit: 20, invitedBy: HEAVY };
    expect(await findings(() => searchUsers(db, text, options))).toEqual([]);
  });

  it('the next emails of very many, and whether many notices are due', async () => {
    const some = { now: NOW, leaseMs: 600_000, limit: 5 };
    expect(await claimDue(db, some)).toHaveLength(5);
    expect(await findings(() => claimDue(db, some))).toEqual([]);
    expect(await findings(() => claimUrgent(db, some))).toEqual([]);
    const newId = randomUUID();
    expect(await findings(() => claimBatch(db, { ...some, limit: 100, newId }))).toEqual([]);
    expect(await findings(() => countDueOpenings(db, { now: NOW, most: 2_000 }))).toEqual([]);
    const named = { id: randomUUID(), providerId: 'one' };
    const told = { ...named, outcome: 'delivered' as const, at: NOW, reason: null };
    expect(await findings(() => noteOutcome(db, told))).toEqual([]);
    expect(await findings(() => isSending(db, named))).toEqual([]);
  });

  it('what somebody was told before of very many notices', async () => {
    const kind = 'capsule-waiting' as const;
    const about = [{ capsuleId: sampleId(3), userId: HEAVY }];
    const some = { kind, userIds: [HEAVY], after: NOW };
    expect(await findings(() => findQueued(db, kind, about))).toEqual([]);
    expect(await findings(() => countQueuedSince(db, some))).toEqual([]);
    expect(
      await findings(() =>
        takenBack((tx) => lockWaiting(tx, { ...some, queuedAfter: NOW, dueAfter: NOW })),
      ),
    ).toEqual([]);
  });

  it('what became of the invitations of the recipients of a capsule', async () => {
    const { capsules } = await listCapsules(deps(), actor, { type: 'created', page: 1, limit: 1 });
    const own = { capsuleId: capsules[0]?.id ?? '', inviterId: HEAVY };
    const list = () => findSentInvitations(db, own);
    expect(await findings(list)).toEqual([]);
  });

  it.each(['created', 'received'] as const)('a search in the %s list', async (type) => {
    for (const query of ['nowhere', 'Smith 12345', 'person-77@']) {
      const search = () => listCapsules(deps(), actor, { type, page: 1, limit: 6, query });
      const found = await findings(search);
      // Two people receive everything here, so that reading all is as good as by an index.
      expect(found.filter((line) => !line.startsWith('Seq Scan capsule_recipients'))).toEqual([]);
    }
  });

  it('the storage sum, the public profile and the ids of an export', async () => {
    expect(await findings(() => findUsedBytes(db, HEAVY))).toEqual([]);
    expect(await findings(() => getPublicProfile({ db }, null, HEAVY))).toEqual([]);
    expect(await findings(() => findOwnCapsules(db, HEAVY))).toEqual([]);
  });

  it('every step of the sweep', async () => {
    const { deps: given } = createMailWorld(db);
    let now = NOW;
    const clock = { now: () => now };
    const files = createMemoryStore();
    await releaseFiles(db, ['released/1', 'released/2']);
    expect(await findings(() => isNamed(db, 'released/1'))).toEqual([]);
    await raiseLastSeen(db, NOW);
    now = new Date(NOW.getTime() + 2 * 86_400_000);
    const deps = { ...given, clock, files };
    expect(await findings(() => sweep(deps, GO_ON))).toEqual([]);
    expect(await findings(() => removeReleased(deps, GO_ON))).toEqual([]);
  });

  it('putting a capsule away', async () => {
    const { capsules } = await listCapsules(deps(), actor, { type: 'received', page: 1, limit: 1 });
    const id = capsules[0]?.id ?? '';
    const work = () =>
      takenBack((tx) => hideCapsule({ ...deps(), db: tx }, actor, { id, hidden: true }));
    expect(await scans(work)).toEqual([]);
  });

  it('noting that a capsule was seen', async () => {
    const [first] = (await listOpened(deps(), actor)).capsules;
    const work = () => takenBack((tx) => markSeen({ ...deps(), db: tx }, actor, first?.id ?? ''));
    expect(await scans(work)).toEqual([]);
  });

  it('sealing, announcing, deleting and restoring a capsule', async () => {
    const { deps: given } = createMailWorld(db);
    const now = { ...given, clock: { now: () => NOW } };
    const fields = newCapsuleSchema.parse({
      title: 'One more',
      description: 'For later',
      dateToUnlock: '2031-01-01',
      recipientEmails: ['person-1@example.org', 'person-2@example.org'],
      notifyRecipient: true,
    });
    const work = () =>
      takenBack(async (tx) => {
        const checked = await checkNewCapsule({ ...now, db: tx }, actor, fields);
        const {
          capsule: { id },
        } = await sealCapsule({ ...now, db: tx }, actor, {
          checked,
          files: [],
          claim: null,
        });
        await announceOpenings({ ...now, db: tx }, GO_ON);
        const ids = { capsuleId: id, ownerId: HEAVY, now: NOW };
        await putInBin(tx, { id: given.ids.uuid(), ...ids });
        await takeFromBin(tx, ids);
        await putInBin(tx, { id: given.ids.uuid(), ...ids });
        await emptyBins(tx, new Date('2000-01-01'));
        await removeUnreachable(tx);
        await removeFromBin(tx, ids);
      });
    expect(await scans(work)).toEqual([]);
  });

  it('blocking and unblocking a person', async () => {
    const pair = { userId: sampleId(2), blockedId: HEAVY };
    const work = () =>
      takenBack(async (tx) => {
        await lockAgainstSealing(tx, HEAVY);
        await insertBlock(tx, pair, NOW);
        await putAwayFrom(tx, pair, NOW);
        await removeBlock(tx, pair);
        await withholdEmails(tx, pair, NOW);
      });
    expect(await scans(work)).toEqual([]);
    const other = { userId: HEAVY, blockedId: sampleId(2) };
    const back = () => takenBack((tx) => removeBlock(tx, other));
    expect(await scans(back)).toEqual([]);
  });

  it('the next messages to browsers of very many', async () => {
    const some = { now: NOW, leaseMs: 600_000, limit: 10 };
    expect(await findings(() => claimDuePushes(db, some))).toEqual([]);
    const about = { capsuleIds: [sampleId(3), sampleId(4)] };
    expect(await findings(() => countLeft(db, about))).toEqual([]);
  });

  it('subscribing a browser, telling it, and signing out there', async () => {
    const { deps: given } = createMailWorld(db);
    const [sessionId, endpoint] = ['session 1', 'https://push.example/new'];
    const row = { id: randomUUID(), userId: HEAVY, sessionId, endpoint, p256dh: '', auth: '' };
    const work = () =>
      takenBack(async (tx) => {
        await saveSubscription(tx, { ...row, now: NOW }, 10);
        const opened = [HEAVY, sampleId(2)].map((userId) => ({ userId, capsuleId: sampleId(3) }));
        await queuePushes(tx, opened, NOW);
        await removeSubscription(tx, row);
        await removeGone(tx, row.id);
        const sessions = createSessions({ ...given, db: tx });
        await sessions.end('any');
        await sessions.endAll(sampleId(2));
      });
    expect(await scans(work)).toEqual([]);
  });

  it('addresses: who has one, who is asked, and what an invited person leaves to an account', async () => {
    const work = () =>
      takenBack(async (tx) => {
        const email = 'person-7@example.org';
        await findUserByEmail(tx, email);
        await lockUserWithDue(tx, { now: NOW, except: [] });
        await findPersonToReset(tx, email);
        await isReserved(tx, email, NOW);
        await deleteEmailsTo(tx, email);
        await findDueDeletion(tx, { now: NOW, except: [] });
        await findUserAt(tx, email, { userId: sampleId(7), now: NOW });
        await setAddresses(tx, sampleId(7), { email: 'new@example.org', secondEmail: email });
        // As few as wait for an invited person.
        await mergeInvited(tx, { from: sampleId(3), to: sampleId(7) });
      });
    expect(await scans(work)).toEqual([]);
  });

  it.each(['deliver', 'destroy'] as const)('deleting an account (%s)', async (what) => {
    const { deps: given } = createMailWorld(db);
    const passwords = { hash: async () => '', verify: async () => true };
    const sessions = createSessions({ ...given, db });
    const rest = { ...given, passwords, sessions };
    const leaver = { userId: HEAVY, sessionId: '' };
    const work = () =>
      takenBack((tx) =>
        deleteAccount({ ...rest, db: tx }, leaver, { password: 'any', capsules: what }),
      );
    expect(await scans(work)).toEqual([]);
    // No list that grows with the number of capsules: PostgreSQL takes 65,534 parameters.
    expect(Math.max(...sent.map(({ params }) => params.length))).toBeLessThan(20);
  });
});

/**
 * Foreign keys whose columns begin an index: by that one, the deletion of a person or a capsule finds
 * what goes along. `others` are further indexes that begin with the same column.
 */
const INDEXES = `
  select c.relname as name, i.indisunique as unique,
    exists (select 1 from pg_constraint f where f.contype = 'f' and f.conrelid = i.indrelid
      and f.conkey[1] = i.indkey[0]) and i.indpred is null as "isOfKey",
    i.indrelid::regclass || '.' || i.indkey[0] as start
  from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public'`;

it('no index is without a statement that uses it', async () => {
  const used = new Set<string | undefined>();
  await database.sql.begin(async (tx) => {
    // Most tables are too small here to be worth an index.
    await tx`set local enable_seqscan = off`;
    for (const [query, params] of all) {
      const [row] = await tx.unsafe(`explain (format json) ${query}`, params);
      for (const plan of nodesOf(row?.['QUERY PLAN'][0].Plan)) used.add(plan['Index Name']);
    }
  });
  const indexes =
    await database.sql.unsafe<{ name: string; unique: boolean; isOfKey: boolean; start: string }[]>(
      INDEXES,
    );
  const needed = indexes.filter(({ name, unique }) => unique || used.has(name));
  const served = new Set(needed.map(({ start }) => start));
  const unused = indexes.filter(
    (one) => !needed.includes(one) && !(one.isOfKey && !served.has(one.start)),
  );
  expect(unused.map(({ name }) => name)).toEqual([]);
});
