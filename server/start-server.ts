import { join } from 'node:path';
import { createApp } from './app.ts';
import { systemClock } from './clock/clock.ts';
import { startClock } from './clock/clock-memory.ts';
import type { Config } from './config.ts';
import { createDeps } from './create-deps.ts';
import { releaseAllKeys } from './db/capsules/capsule-keys.ts';
import { addressesOf, type DatabaseAddresses } from './db/client.ts';
import { migrateDatabase } from './db/migrate.ts';
import { type Database, openDatabase } from './db/open.ts';
import { setConfirmsAddresses } from './db/server-state.ts';
import { assertNotMoved, claimStore } from './domain/storage/store-identity.ts';
import { startEmbeddedDatabase } from './embedded-postgres/index.ts';
import { assertUsable, createFileStore, describeStore } from './files/create-file-store.ts';
import { createStaticFiles } from './http/static.ts';
import { listen } from './listen.ts';
import type { Log } from './log.ts';
import { projectRoot } from './project-root.ts';
import type { StartError } from './start-error.ts';

export interface StartOptions {
  config: Config;
  log: Log;
  /** Aborted when the server is told to stop before it is ready. */
  signal: AbortSignal;
  /** The server cannot go on and must be stopped. */
  onLost: (reason: StartError) => void;
  /** How long a database that is away is waited for, in milliseconds. */
  databaseWaitMs?: number;
}

export interface RunningServer {
  port: number;
}

/** What to do when the server stops; the last thing that was started ends first. */
export type AtStop = (end: () => Promise<void>) => void;

/** The built client. */
const CLIENT = join(projectRoot, 'dist', 'client');

/** Requests under way may take this long to finish. */
const GRACE_MS = 30_000;

/**
 * Starts everything, from the database to the open port. Each part hands `atStop` its own end
 * as soon as it runs, so that a start which fails half-way leaves nothing behind.
 * @throws StartError, or what the operating system says.
 */
export async function startServer(options: StartOptions, atStop: AtStop): Promise<RunningServer> {
  const { config, log, signal } = options;
  const { address, direct } = await findDatabase(options, atStop);
  const waiting = { log, signal, waitMs: options.databaseWaitMs };
  const maxConnections = config.databasePool;
  const allowNewer = config.allowNewerDatabase;
  await migrateDatabase({ address: direct, allowNewer, takesOver: true, ...waiting });
  const database = await openDatabase({ address, maxConnections, ...waiting });
  atStop(database.close);
  database.watch();

  const { db } = database;
  await assertNotMoved(db);
  const time = await startClock({
    db,
    log,
    system: systemClock,
    monotonic: () => performance.now(),
  });
  atStop(time.stop);
  await setConfirmsAddresses(db, config.emailVerification);

  const files = await createFileStore(config);
  await assertUsable(files, config);
  await claimStore({ db, files }, describeStore(config));
  await releaseHeldKeys(db, options);
  const { deps, jobs } = createDeps({ config, log, db, clock: time.clock, files });
  atStop(jobs.stop);
  const listening = await listen(
    createApp(deps, createStaticFiles(CLIENT, config.siteName)),
    config,
    log,
  );
  atStop(() => {
    deps.lifecycle.stopping = true;
    return listening.close(GRACE_MS);
  });
  signal.throwIfAborted();
  return { port: listening.port };
}

/** Releases leases that a crash left behind; their capsules would wait for a minute. Other servers on a shared database may hold theirs. */
async function releaseHeldKeys(db: Database, { config, log }: StartOptions): Promise<void> {
  if (config.databaseUrl) return;
  const count = await releaseAllKeys(db);
  if (count > 0) log.info({ count }, 'Released idempotency keys that a crash had left held.');
}

async function findDatabase(
  { config, log, onLost }: StartOptions,
  atStop: AtStop,
): Promise<DatabaseAddresses> {
  const { databaseUrl, databaseDirectUrl } = config;
  if (databaseUrl) return addressesOf(databaseUrl, databaseDirectUrl);
  const embedded = await startEmbeddedDatabase({ dataDir: config.dataDir, log, onLost });
  atStop(embedded.stop);
  return { address: embedded.address, direct: embedded.address };
}
