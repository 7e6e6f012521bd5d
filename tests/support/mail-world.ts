import { randomUUID } from 'node:crypto';
import { eq, getTableColumns } from 'drizzle-orm';
import { pino } from 'pino';
import { beforeEach } from 'vitest';
import { createClientLimits } from '../../server/client-limits.ts';
import { getConfig } from '../../server/config.ts';
import { claimDue, type Sending } from '../../server/db/emails/sendings.ts';
import type { Database } from '../../server/db/open.ts';
import {
  capsuleRecipients,
  capsules,
  emails,
  notices,
  sendings,
  users,
} from '../../server/db/schema.ts';
import { raiseLastSeen, setConfirmsAddresses } from '../../server/db/server-state.ts';
import type { Deps, Wakes } from '../../server/deps.ts';
import { createIds } from '../../server/ids.ts';
import { EMAIL_KINDS, type EmailKind } from '../../server/mail/kinds.ts';
import { sharedDatabase, type TestDatabase } from './database.ts';
import { createMemoryMailer, type MemoryMailer } from './memory-mailer.ts';

export const START = new Date('2030-05-04T10:00:00.000Z');
/** A signal that never comes. */
export const GO_ON = new AbortController().signal;

export interface Person {
  id: string;
  email: string;
  name: string;
}

/** People, capsules and a clock that stands still: what the mail tests are made of. */
export interface MailWorld {
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits' | 'log' | keyof Wakes> & {
    mailer: MemoryMailer;
  };
  /** Moves the clock. */
  advance(ms: number): void;
  setNow(instant: Date): void;
  addPerson(name: string, change?: Partial<typeof users.$inferInsert>): Promise<Person>;
  /** Sealed by `creator` for `recipients`; opens a day after START unless said otherwise. */
  addCapsule(
    creator: Person,
    recipients: Person[],
    change?: Partial<typeof capsules.$inferInsert>,
  ): Promise<{ id: string; creatorId: string; notifyRecipient: boolean }>;
  /** An email of this kind that was sent to a person's main address, unless said otherwise. */
  addSending(
    to: Pick<Person, 'id' | 'email'>,
    change?: Partial<typeof sendings.$inferInsert> & {
      kind?: EmailKind;
      about?: Partial<typeof emails.$inferInsert>;
    },
  ): Promise<{ id: string; emailId: string }>;
  /** All sendings, each with its email, in the order in which they were queued. */
  sendings(): Promise<Sending[]>;
  /** Takes the one sending that is due, as a job would. */
  claimOne(): Promise<Sending>;
}

/** A world for each test of a file, on one database: nobody is there but whom the test adds. */
export function sharedMailWorld(): { database: TestDatabase; world: MailWorld } {
  const database = sharedDatabase();
  const world = {} as MailWorld;
  beforeEach(async () => {
    await database.db.delete(emails);
    await database.db.delete(capsules);
    await database.db.delete(users);
    await setConfirmsAddresses(database.db, false);
    Object.assign(world, createMailWorld(database.db));
  });
  return { database, world };
}

export function createMailWorld(db: Database): MailWorld {
  let now = START.getTime();
  const clock = { now: () => new Date(now) };
  const deps = {
    config: getConfig({ APP_URL: 'https://capsule.example' }),
    db,
    clock,
    ids: createIds(clock),
    limits: createClientLimits({ rateLimits: true }, null),
    log: pino({ level: 'silent' }),
    mailer: createMemoryMailer(),
    mailQueued: () => {},
    filesReleased: () => {},
  };
  return {
    deps,
    advance(ms) {
      now += ms;
    },
    setNow(instant) {
      now = instant.getTime();
    },
    async addPerson(name, change = {}) {
      const email = `${name.toLowerCase()}-${randomUUID()}@example.com`;
      const row = { id: randomUUID(), email, name, passwordHash: 'none', createdAt: START };
      // A server has been started on the database.
      await raiseLastSeen(db, START);
      await db.insert(users).values({ ...row, ...change });
      return { ...row, ...change };
    },
    async addCapsule(creator, recipients, change = {}) {
      const row = {
        id: randomUUID(),
        creatorId: creator.id,
        title: 'For later',
        description: '',
        personalMessage: 'CANARY-MESSAGE',
        dateToUnlock: '2030-05-05',
        timeZone: 'UTC',
        unlockAt: new Date('2030-05-05T00:00:00Z'),
        notifyRecipient: true,
        mediaCount: 0,
        totalBytes: 0,
        createdAt: START,
        ...change,
      };
      await db.insert(capsules).values(row);
      const { createdAt, unlockAt, dateToUnlock } = row;
      const places = recipients.map(({ id: userId }, position) => ({
        capsuleId: row.id,
        userId,
        position,
        createdAt,
        unlockAt,
        dateToUnlock,
        isCreator: userId === creator.id,
      }));
      if (places.length > 0) await db.insert(capsuleRecipients).values(places);
      return { ...row, creatorId: creator.id };
    },
    async addSending(to, { kind = 'capsule-opened', about = {}, ...change } = {}) {
      const emailId = randomUUID();
      const { goesTo, urgency, isAboutCapsules } = EMAIL_KINDS[kind];
      const isToPerson = goesTo === 'person';
      await db.insert(emails).values({
        ...{ id: emailId, kind, userId: to.id, toAddress: isToPerson ? null : to.email },
        ...{ isAboutCapsules, createdAt: START, ...about },
      });
      const sent = { outcome: 'sent' as const, outcomeAt: START, sentAt: START };
      const row = {
        ...{ id: randomUUID(), emailId, number: 1, cause: 'first' as const, urgency },
        ...{ slot: isToPerson ? ('main' as const) : null, address: to.email, begunAt: START },
        ...(change.nextAttemptAt ? {} : sent),
        ...{ createdAt: START, ...change },
      };
      await db.insert(sendings).values(row);
      return { id: row.id, emailId };
    },
    async sendings() {
      const rows = await db
        .select({
          sending: getTableColumns(sendings),
          email: getTableColumns(emails),
        })
        .from(sendings)
        .innerJoin(emails, eq(emails.id, sendings.emailId))
        .orderBy(emails.createdAt, emails.id, sendings.number);
      const carried = await db.select().from(notices);
      return rows.map(({ sending, email }) => {
        const theirs = carried.filter(({ emailId }) => emailId === email.id);
        const capsuleIds = theirs.map(({ capsuleId }) => capsuleId);
        return { ...sending, email: { ...email, capsuleIds } };
      });
    },
    async claimOne() {
      const options = { now: deps.clock.now(), leaseMs: 600_000, limit: 1 };
      const [row] = await claimDue(db, options);
      if (!row) throw new Error('No mail is due.');
      return row;
    },
  };
}
