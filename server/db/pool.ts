import type { Sql } from 'postgres';
import type { Log } from '../log.ts';

/** How often the database is asked whether it answers. */
const ASK_EVERY_MS = 2_000;
/** With this much silence its connections are given up: a call then fails within 10 s. */
const SILENT_AFTER_MS = 8_000;
const CLOSE_SECONDS = 2;

export interface PoolLoad {
  /** Calls that have a connection. */
  running: number;
  /** Calls that wait for one. */
  waiting: number;
}

export interface Pool {
  sql: Sql;
  /** Calls of `unsafe` and `begin`, which are all that the server's queries use. */
  load(): PoolLoad;
  /**
   * From now on calls do not wait for a database that is silent, such as a frozen machine: they
   * fail as with a lost connection, and new connections are tried.
   */
  watch(): void;
  /** Lets running queries finish (2 s), then closes every connection. */
  close(): Promise<void>;
}

/** @param connect makes a client with at most so many connections; called again after a silence */
export function createPool(connect: (max?: number) => Sql, log: Log): Pool {
  let current = connect();
  let asking: Sql | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let calls = 0;

  // Whoever holds `sql` always reaches the client of now.
  const sql = new Proxy(current, {
    apply: (_first, _this, query) => Reflect.apply(current, undefined, query),
    get: (_first, name) =>
      name === 'unsafe' || name === 'begin' ? counting(name) : Reflect.get(current, name),
  });

  function counting(name: 'unsafe' | 'begin') {
    return (...parameters: unknown[]) => {
      const call: PromiseLike<unknown> = Reflect.apply(current[name], current, parameters);
      calls += 1;
      const end = () => {
        calls -= 1;
      };
      // Starts a query a moment later, when its caller has set what else it wants of it.
      call.then(end, end);
      return call;
    };
  }

  /** Through a connection of its own, because all others may be busy for good reasons. */
  async function ask(): Promise<void> {
    asking ??= connect(1);
    const isSilent = await staysSilent(asking`select 1`);
    if (isClosed) return;
    if (isSilent) {
      log.warn('The database does not answer. Replacing its connections …');
      const silent = [current, asking];
      asking = null;
      current = connect();
      for (const client of silent) void client.end({ timeout: 0 });
    }
    timer = setTimeout(ask, ASK_EVERY_MS);
  }

  return {
    sql,
    load() {
      const running = Math.min(calls, current.options.max);
      return { running, waiting: calls - running };
    },
    watch: () => void ask(),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all([current.end({ timeout: CLOSE_SECONDS }), asking?.end({ timeout: 0 })]);
    },
  };
}

/** An error is an answer too: the driver tells the callers by itself that a connection is lost. */
async function staysSilent(query: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), SILENT_AFTER_MS);
  });
  const answer = query.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
