import { DrizzlePostgreSQLAdapter } from '@lucia-auth/adapter-drizzle';
import { and, eq, sql } from 'drizzle-orm';
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import { DAY_MS } from '../../shared/limits.ts';
import type { Clock } from '../clock/clock.ts';
import type { Database, Queryable } from '../db/open.ts';
import { prepared } from '../db/prepared.ts';
import { pushSubscriptions, sessions as sessionTable, users } from '../db/schema.ts';
import type { Ids } from '../ids.ts';
import { hashToken } from './token-hash.ts';

const IDLE_DAYS = 30;
const ABSOLUTE_DAYS = 90;

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<{ createdAt: Date }>;
    UserId: string;
    DatabaseSessionAttributes: { createdAt: Date };
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

export interface Session extends ActorInSession {
  /** True when the expiry was just extended, so that the cookie has to be sent again. */
  fresh: boolean;
}

/** Signed-in sessions. The token is in the person's cookie only; the database holds its hash. */
export interface Sessions {
  /**
   * Signs somebody in whose password has matched this hash. @returns the token for the cookie; null if
   * they have another password by now, or have deleted their account
   */
  create(person: { userId: string; passwordHash: string }): Promise<string | null>;
  /** Null for a token that is unknown, idle for 30 days, or older than 90. */
  validate(token: string): Promise<Session | null>;
  /** Signs out, and ends what this browser subscribed to. An expiry does not. */
  end(token: string): Promise<void>;
  /** @param tx the transaction it belongs to, if any. */
  endById(sessionId: string, tx?: Queryable): Promise<void>;
  /** @param tx the transaction it belongs to, if any. */
  endAll(userId: string, tx?: Queryable): Promise<void>;
  /** Seconds a cookie may live. */
  readonly cookieMaxAge: number;
}

/** The only file that knows lucia. */
export function createSessions({
  db,
  clock,
  ids,
}: {
  db: Database;
  clock: Clock;
  ids: Ids;
}): Sessions {
  const adapter = new DrizzlePostgreSQLAdapter(db, sessionTable, users);
  const lucia = new Lucia(onClock(adapter, db, clock), {
    sessionExpiresIn: new TimeSpan(IDLE_DAYS, 'd'),
    getSessionAttributes: ({ createdAt }) => ({ createdAt }),
  });

  const endById = async (id: string, tx: Queryable = db) => {
    await tx.delete(sessionTable).where(eq(sessionTable.id, id));
    await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, id));
  };

  return {
    cookieMaxAge: (IDLE_DAYS * DAY_MS) / 1000,

    async create({ userId, passwordHash }) {
      const token = ids.token();
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + IDLE_DAYS * DAY_MS);
      // Waits for who changes the password in this moment, and then finds another hash.
      const person = db
        .select({
          id: sql<string>`${hashToken(token)}`.as('id'),
          userId: users.id,
          expiresAt: at(expiresAt).as('expires_at'),
          createdAt: at(now).as('created_at'),
        })
        .from(users)
        .where(and(eq(users.id, userId), eq(users.passwordHash, passwordHash)))
        .for('share');
      const rows = await db.insert(sessionTable).select(person).returning({ id: sessionTable.id });
      return rows.length > 0 ? token : null;
    },

    async validate(token) {
      const { session } = await lucia.validateSession(hashToken(token));
      if (!session) return null;
      // lucia knows only the idle limit.
      const age = clock.now().getTime() - session.createdAt.getTime();
      if (age >= ABSOLUTE_DAYS * DAY_MS) {
        await lucia.invalidateSession(session.id);
        return null;
      }
      return { userId: session.userId, sessionId: session.id, fresh: session.fresh };
    },

    end: (token) => db.transaction((tx) => endById(hashToken(token), tx)),
    endById,
    async endAll(userId, tx = db) {
      await tx.delete(sessionTable).where(eq(sessionTable.userId, userId));
      await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId));
    },
  };
}

const at = (instant: Date) => sql<Date>`${instant.toISOString()}::timestamptz`;

/**
 * lucia uses the process's clock, so expiries are converted to our clock on the way in and out.
 * The lookup reads the session only: the adapter's own would also read the person's row with the
 * password hash.
 */
function onClock(adapter: Adapter, db: Database, clock: Clock): Adapter {
  const ahead = () => clock.now().getTime() - Date.now();
  const moved = (instant: Date, by: number) => new Date(instant.getTime() + by);
  return {
    async getSessionAndUser(id) {
      const [row] = await sessionById(db).execute({ id });
      if (!row) return [null, null];
      const { userId, createdAt } = row;
      const expiresAt = moved(row.expiresAt, -ahead());
      return [
        { id, userId, expiresAt, attributes: { createdAt } },
        { id: userId, attributes: {} },
      ];
    },
    // Unused: `create` writes sessions, by a statement of its own.
    setSession: (session) => adapter.setSession(session),
    updateSessionExpiration: (id, expiresAt) =>
      adapter.updateSessionExpiration(id, moved(expiresAt, ahead())),
    getUserSessions: (userId) => adapter.getUserSessions(userId),
    deleteSession: (id) => adapter.deleteSession(id),
    deleteUserSessions: (userId) => adapter.deleteUserSessions(userId),
    deleteExpiredSessions: () => adapter.deleteExpiredSessions(),
  };
}

const sessionById = prepared((db) =>
  db
    .select()
    .from(sessionTable)
    .where(eq(sessionTable.id, sql.placeholder('id')))
    .prepare('session'),
);
