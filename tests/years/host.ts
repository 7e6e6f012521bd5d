import { pino } from 'pino';
import { createApp } from '../../server/app.ts';
import type { Clock } from '../../server/clock/clock.ts';
import { getConfig } from '../../server/config.ts';
import { createDeps } from '../../server/create-deps.ts';
import { createClient } from '../../server/db/client.ts';
import { copyRows } from '../../server/db/operator/copy-rows.ts';
import { raiseLastSeen } from '../../server/db/server-state.ts';
import type { Deps } from '../../server/deps.ts';
import { createStaticFiles } from '../../server/http/static.ts';
import { announceOpenings } from '../../server/jobs/announce-openings.ts';
import { sendDueEmails } from '../../server/jobs/send-emails.ts';
import { sweep } from '../../server/jobs/sweep.ts';
import { queueYearlyEmails } from '../../server/jobs/yearly-emails.ts';
import { listen } from '../../server/listen.ts';
import { signEvent } from '../../server/mail/resend.support.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { GO_ON } from '../support/mail-world.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { freePort } from '../support/server.ts';
import { type Provider, SECRET } from './providers.ts';

/** A server on a database of its own, whose jobs run when they are told to. */
export interface Host {
  deps: Deps;
  database: TestDatabase;
  /** One pass of the jobs that write to people, and what the provider tells meanwhile. */
  pass(): Promise<void>;
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export async function startHost(
  clock: Clock,
  provider: Provider,
  database?: TestDatabase,
): Promise<Host> {
  const at = database ?? (await createTestDatabase());
  const port = await freePort();
  const config = {
    ...getConfig({ HOST: '127.0.0.1', PORT: String(port), EMAIL_VERIFICATION: 'off' }),
    appUrl: `http://127.0.0.1:${port}`,
    rateLimits: false,
    jobs: false,
  };
  const log = pino({ level: 'silent' });
  const { deps } = createDeps({
    config,
    db: at.db,
    clock,
    log,
    files: createMemoryStore(),
    mailer: provider.mailer,
    // A hash for each of a hundred thousand changes of an address would take hours.
    passwords: {
      hash: async (password) => password,
      verify: async (stored, given) => stored === given,
    },
  });
  await raiseLastSeen(at.db, clock.now());
  const listening = await listen(createApp(deps, createStaticFiles('no-client')), config, deps.log);
  const tell = async (): Promise<boolean> => {
    const events = provider.events.splice(0);
    for (const payload of events) {
      const { status } = await fetch(`${config.appUrl}/webhooks/resend`, {
        method: 'POST',
        body: payload,
        headers: { 'content-type': 'application/json', ...signEvent(SECRET, payload) },
      });
      if (status !== 200) throw new Error(`An event was answered ${status}.`);
    }
    return events.length > 0;
  };
  return {
    deps,
    database: at,
    async pass() {
      await announceOpenings(deps, GO_ON);
      await queueYearlyEmails(deps, GO_ON);
      await sendDueEmails(deps, GO_ON);
      // What has bounced goes once more at once.
      if (await tell()) await sendDueEmails(deps, GO_ON);
      await tell();
    },
    async sweep() {
      await sweep(deps, GO_ON);
      // The tests' PostgreSQL runs without autovacuum. On a busy machine this may take longer than a
      // statement may; the next one catches up.
      await at.db.execute('vacuum analyze').catch(() => undefined);
    },
    close: () => listening.close(0),
  };
}

/** As `npm run move` does: all rows to a new database, on which the next server starts. */
export async function move(host: Host, clock: Clock, provider: Provider): Promise<Host> {
  const database = await createTestDatabase();
  const connect = ({ address }: TestDatabase) =>
    createClient(address, { log: pino({ level: 'silent' }), max: 1 });
  const [from, to] = [connect(host.database), connect(database)];
  await copyRows(from, to);
  await Promise.all([from.end(), to.end()]);
  await host.close();
  await host.database.close();
  return startHost(clock, provider, database);
}
