import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { Log } from '../log.ts';

/**
 * How often the database is asked whether it answers, and with how much silence its connections are
 * given up. Until it answers again, every statement fails at once: so a request that waits for one,
 * and then tries another, still fails within 10 s.
 */
const PATIENCE = { askEveryMs: 2_000, silentAfterMs: 7_000 };
const CLOSE_SECONDS = 2;

export interface Pool {
  sql: Sql;
  /**
   * From now on calls do not wait for a database that is silent, such as a frozen machine: they
   * fail as with a lost connection, at once until it answers on a new one.
   */
  watch(): void;
  /** Lets running queries finish (2 s), then closes every connection. */
  close(): Promise<void>;
}

/** @param connect makes a client with at most so many connections; called again after a silence */
export function createPool(
  connect: (max?: number) => Sql,
  log: Log,
  { askEveryMs, silentAfterMs } = PATIENCE,
): Pool {
  let current = connect();
  let isSilent = false;
  let asking: Sql | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  // Whoever holds `sql` always reaches the client of now.
  const sql = new Proxy(current, {
    apply: (_first, _this, query) => Reflect.apply(current, undefined, query),
    get: (_first, name) => Reflect.get(current, name),
  });

  /** Through a connection of its own, because all others may be busy for good reasons. */
  async function ask(): Promise<void> {
    asking ??= connect(1);
    const wasSilent = isSilent;
    isSilent = await staysSilent(asking`select 1`, silentAfterMs);
    if (isClosed) return;
    if (isSilent) {
      if (!wasSilent) log.warn('The database does not answer. Giving up its connections …');
      void asking.end({ timeout: 0 });
      asking = null;
      // A client that was ended refuses every call at once.
      void current.end({ timeout: 0 });
    } else if (wasSilent) {
      log.info('The database answers again.');
      current = connect();
    }
    timer = setTimeout(ask, askEveryMs);
  }

  return {
    sql,
    watch: () => void ask(),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all([current.end({ timeout: CLOSE_SECONDS }), asking?.end({ timeout: 0 })]);
    },
  };
}

/** An error is an answer too: the driver tells the callers by itself that a connection is lost. */
function staysSilent(query: Promise<unknown>, silentAfterMs: number): Promise<boolean> {
  const answer = query.then(
    () => false,
    () => false,
  );
  return Promise.race([answer, delay(silentAfterMs, true, { ref: false })]);
}
