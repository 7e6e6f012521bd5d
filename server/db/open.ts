import { setTimeout as delay } from 'node:timers/promises';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import {
  createClient,
  type DatabaseAddress,
  describeAddress,
  isPooler,
  settingOf,
} from './client.ts';
import { isDatabaseAway } from './errors.ts';
import { FIXED_STATEMENTS } from './fixed-statements.ts';
import { createPool } from './pool.ts';
import { refuseUnsuitable } from './refuse-unsuitable.ts';
import * as schema from './schema.ts';

export type Database = PostgresJsDatabase<typeof schema>;
/** The database or a transaction. */
export type Queryable = Database | Parameters<Parameters<Database['transaction']>[0]>[0];

export type OpenedDatabase = Awaited<ReturnType<typeof openDatabase>>;

export interface OpenDatabaseOptions {
  address: DatabaseAddress;
  log: Log;
  maxConnections?: number;
  /** How long to wait for an unreachable database, in milliseconds. */
  waitMs?: number;
  /** Ends the waiting. */
  signal?: AbortSignal;
}

/**
 * Connections to a pooler for each one that was asked for. The driver sends a statement behind another
 * one when all are busy, and PgBouncer 1.18 now and then never answers the second. Its connections are
 * cheap, so that there are enough of them.
 */
const POOLED_CONNECTIONS = 3;
const WAIT_MS = 30_000;

/**
 * Connects to the database, waiting while it is unreachable. @throws StartError if it stays
 * unreachable, refuses us or is unsuitable
 */
export async function openDatabase({
  address,
  log,
  maxConnections = 10,
  waitMs,
  signal,
}: OpenDatabaseOptions) {
  const most = isPooler(address) ? maxConnections * POOLED_CONNECTIONS : maxConnections;
  const connect = (max = most) => {
    const sql = createClient(address, {
      log,
      max,
      // A pooler refuses settings of a session, which it would hand to others.
      connection: isPooler(address)
        ? {}
        : {
            // Far longer than any call takes. A stuck query must not pile up.
            statement_timeout: 15_000,
            idle_in_transaction_session_timeout: 60_000,
            // Compiling a statement takes longer than any of ours runs.
            jit: 'off',
          },
    });
    // Makes the client leave dates to drizzle, as every client behind `db` must.
    drizzle(sql);
    return sql;
  };
  const { sql, watch, close } = createPool(connect, log);
  try {
    await waitUntilReachable(sql, { address, log, waitMs, signal });
    await refuseUnsuitable(sql, address);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  // With the driver, for statements drizzle cannot express.
  return { db: drizzle(preparing(sql), { schema }), sql, watch, close };
}

/** @throws StartError if the database stays unreachable or refuses us */
export async function waitUntilReachable(
  sql: Sql,
  { address, log, waitMs = WAIT_MS, signal }: OpenDatabaseOptions,
): Promise<void> {
  const giveUpAt = performance.now() + waitMs;
  for (let pause = 250; ; pause = Math.min(pause * 2, 4000)) {
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      const where = describeAddress(address);
      const reason = error instanceof Error ? error.message || codeOf(error) : String(error);
      if (/unsupported startup parameter/.test(reason)) {
        throw new StartError(
          `The database at ${where} is behind a connection pooler: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`,
        );
      }
      if (!isDatabaseAway(error)) {
        throw new StartError(`The database at ${where} refused the connection: ${reason}.`);
      }
      if (performance.now() + pause > giveUpAt) {
        throw new StartError(
          `The database at ${where} cannot be reached (${reason}; tried for ${Math.round(waitMs / 1000)} s). Is it running, and is ${settingOf(address)} right?`,
        );
      }
      log.warn(
        { database: where, reason, nextTryMs: pause },
        'The database cannot be reached. Trying again …',
      );
      await delay(pause, undefined, { signal });
    }
  }
}

/** `localhost` that refuses on IPv4 and IPv6 is an AggregateError without a message. */
function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}

/**
 * Longer ones, if they are not fixed, are lists, of which each may have another length: a connection
 * remembers all that it has prepared.
 */
const PREPARED_MAX_LENGTH = 2_000;

/**
 * drizzle turns prepared statements off. This turns them on again, in transactions as well: parsing
 * and planning is most of the cost of our statements, and takes a round trip of its own. A client
 * that prepares nothing, behind a pooler, goes on so.
 */
function preparing<Client extends object>(client: Client): Client {
  const of = (name: PropertyKey) => Reflect.get<object, PropertyKey>(client, name);
  return new Proxy(client, {
    get(_target, name) {
      if (name === 'unsafe') {
        return (query: string, parameters: unknown[], options?: object) =>
          of(name)(query, parameters, {
            ...options,
            prepare: query.length <= PREPARED_MAX_LENGTH || FIXED_STATEMENTS.has(query),
          });
      }
      if (name !== 'begin' && name !== 'savepoint') return of(name);
      return (work: (tx: object) => unknown) => of(name)((tx: object) => work(preparing(tx)));
    },
  });
}
