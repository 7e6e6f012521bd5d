import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle';
import { and, desc, eq, isNull, like, ne, type SQL, sql } from 'drizzle-orm';
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import { dayAt } from '../../shared/day.ts';
import { DAY_MS, SESSIONS_SHOWN_MAX } from '../../shared/limits.ts';
import { type Clock, later } from '../clock/clock.ts';
import { beginDevices, forgetDevices } from '../db/accounts/users.ts';
import type { Database, Queryable } from '../db/open.ts';
import { prepared } from '../db/prepared.ts';
import { pushSubscriptions, sessions as sessionTable, users } from '../db/schema.ts';
import type { Ids } from '../ids.ts';
import { hashToken } from './token-hash.ts';

const IDLE_DAYS = 30;
const ABSOLUTE_DAYS = 90;

interface SessionAttributes {
  createdAt: Date;
  lastUsedOn: string | null;
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes>;
    UserId: string;
    DatabaseSessionAttributes: SessionAttributes;
  }
}

/** The signed-in person on whose behalf a function runs. */
export interface Actor {
  userId: string;
}

/** With the session of the call, for what may end it. */
export interface ActorInSession extends Actor {
  /** By which the database knows it: a hash of its token. */
  sessionId: string;
}

/** How and where somebody signs in, as they read it in the list of their sessions. */
export interface SignInFacts {
  /** Browser and system in words; empty where it does not say. */
  device: string;
  signedInBy: (typeof sessionTable.$inferSelect)['signedInBy'];
}

/** Signed-in sessions. The token is in the person's cookie only; the database holds its hash. */
export type Sessions = ReturnType<typeof createSessions>;

/**
 * What a session is called where people see it: half of the hash that the database knows it by.
 * Nobody can sign in with either.
 */
export function publicIdOf(sessionId: string): string {
  return sessionId.slice(0, PUBLIC_ID_LENGTH);
}

const PUBLIC_ID_LENGTH = 32;
const PUBLIC_ID = new RegExp(`^[0-9a-f]{${PUBLIC_ID_LENGTH}}$`);

/**
 * The words for the device of a person's session. Undefined once the session has ended.
 * @param publicId with or without the hyphens of a UUID, as which emails refer to it
 */
export async function findDevice(
  db: Queryable,
  { userId, publicId }: { userId: string; publicId: string },
): Promise<string | undefined> {
  const [row] = await db
    .select({ device: sessionTable.device })
    .from(sessionTable)
    .where(and(eq(sessionTable.userId, userId), isCalled(publicId.replaceAll('-', ''))));
  return row?.device;
}

/** Whether this session has not been ended. */
export async function isGoingOn(db: Queryable, sessionId: string): Promise<boolean> {
  return (await db.$count(sessionTable, eq(sessionTable.id, sessionId))) > 0;
}

const isCalled = (publicId: string): SQL =>
  PUBLIC_ID.test(publicId) ? like(sessionTable.id, `${publicId}%`) : sql`false`;

/** The only file that knows lucia. */
export function createSessions({ db, clock, ids }: { db: Database; clock: Clock; ids: Ids }) {
  const lucia = new Lucia(new OnClock(db, clock), {
    sessionExpiresIn: new TimeSpan(IDLE_DAYS, 'd'),
    getSessionAttributes: ({ createdAt, lastUsedOn }) => ({ createdAt, lastUsedOn }),
  });

  const endById = (id: string, tx: Queryable = db) =>
    endThose(tx, eq(sessionTable.id, id), eq(pushSubscriptions.sessionId, id));
  const today = () => dayAt(clock.now(), 'UTC');

  /** One write a day and session: the day is all that is stored. */
  const noteUse = async ({ id, lastUsedOn }: { id: string; lastUsedOn: string | null }) => {
    if (lastUsedOn === today()) return;
    await db.update(sessionTable).set({ lastUsedOn: today() }).where(eq(sessionTable.id, id));
  };

  return {
    /** Seconds a cookie may live. */
    cookieMaxAge: (IDLE_DAYS * DAY_MS) / 1000,

    /**
     * Signs somebody in who had this password hash when they were checked. @returns the token for the
     * cookie; null if they have another password by now, have deleted their account, or are suspended
     * @param tx the transaction it belongs to, if any.
     */
    async create(
      {
        userId,
        passwordHash,
        device = '',
        signedInBy = 'password',
      }: { userId: string; passwordHash: string } & Partial<SignInFacts>,
      tx: Queryable = db,
    ) {
      const token = ids.token();
      const now = clock.now();
      // First, so that who ends all sessions in this moment raises a round that has begun.
      await beginDevices(tx, { userId, passwordHash });
      const expiresAt = later(now, IDLE_DAYS * DAY_MS);
      // Waits for who changes the password in this moment, and then finds another hash.
      const person = tx
        .select({
          id: sql<string>`${hashToken(token)}`.as('id'),
          userId: users.id,
          expiresAt: at(expiresAt).as('expires_at'),
          createdAt: at(now).as('created_at'),
          device: sql<string>`${device}::text`.as('device'),
          signedInBy: sql<SignInFacts['signedInBy']>`${signedInBy}::text`.as('signed_in_by'),
          lastUsedOn: sql<string>`${today()}::date`.as('last_used_on'),
          confirmedUntil: sql<null>`null::timestamptz`.as('confirmed_until'),
        })
        .from(users)
        .where(
          and(
            eq(users.id, userId),
            eq(users.passwordHash, passwordHash),
            isNull(users.suspendedAt),
          ),
        )
        .for('share');
      const rows = await tx.insert(sessionTable).select(person).returning({ id: sessionTable.id });
      return rows.length > 0 ? token : null;
    },

    /** Null for a token that is unknown, idle for 30 days, or older than 90. */
    async validate(token: string) {
      const { session } = await lucia.validateSession(hashToken(token));
      if (!session) return null;
      // lucia knows only the idle limit.
      const age = clock.now().getTime() - session.createdAt.getTime();
      if (age >= ABSOLUTE_DAYS * DAY_MS) {
        await lucia.invalidateSession(session.id);
        return null;
      }
      await noteUse(session);
      // `fresh` when the expiry was just extended, so that the cookie has to be sent again.
      return { userId: session.userId, sessionId: session.id, fresh: session.fresh };
    },

    /** Signs out, and ends what this browser subscribed to. An expiry does not. */
    end: (token: string) => db.transaction((tx) => endById(hashToken(token), tx)),
    /** @param tx the transaction it belongs to, if any. */
    endById,

    /** The sessions of a person, last used first, at most SESSIONS_SHOWN_MAX. */
    async list(userId: string) {
      const rows = await db
        .select()
        .from(sessionTable)
        .where(eq(sessionTable.userId, userId))
        .orderBy(
          desc(sql`coalesce(${sessionTable.lastUsedOn}, '-infinity')`),
          desc(sessionTable.createdAt),
        )
        .limit(SESSIONS_SHOWN_MAX);
      return rows.map(({ id, device, signedInBy, createdAt, lastUsedOn }) => ({
        publicId: publicIdOf(id),
        device,
        signedInBy,
        createdAt,
        lastUsedOn: lastUsedOn ?? dayAt(createdAt, 'UTC'),
      }));
    },

    /** @returns whether this person has such a session @param tx the transaction it belongs to */
    async endOne(userId: string, publicId: string, tx: Queryable) {
      const [row] = await tx
        .select({ id: sessionTable.id })
        .from(sessionTable)
        .where(and(eq(sessionTable.userId, userId), isCalled(publicId)));
      if (row) await endById(row.id, tx);
      return row !== undefined;
    },

    /**
     * Ends all of a person's sessions but this one, and makes their known devices unknown.
     * @param tx the transaction it belongs to
     */
    async endOthers({ userId, sessionId }: ActorInSession, tx: Queryable) {
      await forgetDevices(tx, userId);
      await endThose(
        tx,
        and(eq(sessionTable.userId, userId), ne(sessionTable.id, sessionId)),
        and(eq(pushSubscriptions.userId, userId), ne(pushSubscriptions.sessionId, sessionId)),
      );
    },

    /** Makes their known devices unknown as well. @param tx the transaction it belongs to, if any. */
    async endAll(userId: string, tx: Queryable = db) {
      await forgetDevices(tx, userId);
      await endThose(tx, eq(sessionTable.userId, userId), eq(pushSubscriptions.userId, userId));
    },
  };
}

/**
 * Ends sessions, and what their browsers subscribed to. One that subscribes in this moment is waited
 * for by the first statement, and only seen by the second one.
 */
async function endThose(tx: Queryable, those: SQL | undefined, subscriptions: SQL | undefined) {
  await tx.delete(sessionTable).where(those);
  await tx.delete(pushSubscriptions).where(subscriptions);
}

const at = (instant: Date) => sql<Date>`${instant.toISOString()}::timestamptz`;

/**
 * lucia uses the process's clock, so expiries are converted to our clock on the way in and out.
 * The lookup reads the session only: the adapter's own would also read the person's row with the
 * password hash. Those of the adapter's other calls that need a clock are never made.
 */
class OnClock extends DrizzlePostgreSQLAdapter {
  readonly #db: Database;
  readonly #aheadMs: () => number;

  constructor(db: Database, clock: Clock) {
    super(db, sessionTable, users);
    this.#db = db;
    this.#aheadMs = () => clock.now().getTime() - Date.now();
  }

  override async getSessionAndUser(id: string): ReturnType<Adapter['getSessionAndUser']> {
    const [row] = await sessionById(this.#db).execute({ id });
    if (!row) return [null, null];
    const { userId, createdAt, lastUsedOn } = row;
    const expiresAt = later(row.expiresAt, -this.#aheadMs());
    return [
      { id, userId, expiresAt, attributes: { createdAt, lastUsedOn } },
      { id: userId, attributes: {} },
    ];
  }

  override updateSessionExpiration(id: string, expiresAt: Date): Promise<void> {
    return super.updateSessionExpiration(id, later(expiresAt, this.#aheadMs()));
  }
}

const sessionById = prepared((db) =>
  db
    .select()
    .from(sessionTable)
    .where(eq(sessionTable.id, sql.placeholder('id')))
    .prepare('session'),
);
