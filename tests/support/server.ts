import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../server/app.ts';
import { type Config, getConfig } from '../../server/config.ts';
import { createDeps } from '../../server/create-deps.ts';
import { raiseLastSeen, setConfirmsAddresses } from '../../server/db/server-state.ts';
import type { Deps } from '../../server/deps.ts';
import { createFileStore } from '../../server/files/create-file-store.ts';
import { createStaticFiles, type StaticFiles } from '../../server/http/static.ts';
import { activateChanges } from '../../server/jobs/activate-changes.ts';
import { announceOpenings } from '../../server/jobs/announce-openings.ts';
import { listen } from '../../server/listen.ts';
import { projectRoot } from '../../server/project-root.ts';
import { createCheapPasswords } from './cheap-passwords.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { GO_ON } from './mail-world.ts';
import { createMemoryMailer, type MemoryMailer } from './memory-mailer.ts';
import { until } from './until.ts';

export interface TestServerOptions {
  /** What the server's clock shows at first, ISO 8601; without it, the real time. */
  clock?: string;
  /** By which name browsers reach it; both mean this machine. */
  host?: '127.0.0.1' | 'localhost';
  /** Serve the built client too. */
  client?: boolean;
  config?: Partial<Config>;
  /** Replaces single parts of the composition. */
  deps?: Partial<Deps>;
  staticFiles?: StaticFiles;
  /** For tests about passwords and sign-ins: argon2 as people have it, in place of a cheap hash. */
  realPasswords?: boolean;
}

export interface TestServer {
  url: string;
  deps: Deps;
  clock: TestClock;
  mailer: MemoryMailer;
  /** Announces what has opened, as another process may. The server's own pass is up to 10 s away. */
  announce(): Promise<void>;
  /** Goes on with EMAIL_VERIFICATION on or off, as after another start. */
  confirmAddresses(confirms: boolean): Promise<void>;
  /** Puts new passwords and operators' changes into effect whose wait is over. The server's own pass is up to a minute away. */
  activateChanges(): Promise<void>;
  /** The newest link to this path that was mailed to this address; waits for it. */
  mailedLink(to: string, path: string): Promise<URL>;
  close(): Promise<void>;
}

/** The whole server as main composes it, on a port of its own, with a fresh database and folder. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const [database, dataDir, port] = await Promise.all([
    createTestDatabase(options.config?.databasePool),
    mkdtemp(join(tmpdir(), 'time-capsule-files-')),
    freePort(),
  ]);
  const url = `http://${options.host ?? '127.0.0.1'}:${port}`;
  const clock = createTestClock(options.clock);
  const mailer = createMemoryMailer();
  const config: Config = {
    ...getConfig({ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, APP_URL: url }),
    // Tests call faster than people do; the limits have tests of their own.
    rateLimits: false,
    ...options.config,
  };
  const { deps, jobs } = createDeps({
    config,
    db: database.db,
    clock,
    // Quiet, but an unexpected failure shows itself beside the test that met it.
    log: pino({ level: 'error' }),
    mailer,
    files: await createFileStore(config),
    ...(options.realPasswords ? {} : { passwords: createCheapPasswords() }),
    ...options.deps,
  });
  // Only browsers need the client, and only they come after its build.
  const client = options.client ? join(projectRoot, 'dist', 'client') : join(dataDir, 'no-client');
  const staticFiles = options.staticFiles ?? createStaticFiles(client, config.siteName);
  // As at every start of a server.
  await raiseLastSeen(deps.db, clock.now());
  await setConfirmsAddresses(deps.db, config.emailVerification);
  const listening = await listen(createApp(deps, staticFiles), config, deps.log);

  return {
    url,
    deps,
    clock,
    mailer,
    announce: () => announceOpenings(deps, GO_ON),
    async confirmAddresses(confirms) {
      deps.config.emailVerification = confirms;
      await setConfirmsAddresses(deps.db, confirms);
    },
    activateChanges: () => activateChanges(deps, GO_ON),
    mailedLink: (to, path) => until(() => newestLink(mailer, to, path)),
    async close() {
      await listening.close(0);
      await jobs.stop();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** One for the tests of a file or of a `describe`; its properties are there from `beforeAll` on. */
export function sharedServer(options: TestServerOptions = {}): TestServer {
  const server = {} as TestServer;
  beforeAll(async () => {
    Object.assign(server, await startTestServer(options));
  });
  afterAll(() => server.close());
  return server;
}

function newestLink({ sent }: MemoryMailer, to: string, path: string): URL | null {
  const links = sent
    .filter((mail) => mail.to === to)
    .flatMap(({ link }) => (link ? [new URL(link)] : []));
  return links.findLast((link) => link.pathname === path) ?? null;
}

/**
 * Known before the server listens, because mailed links and the Origin check need it. Not one of those
 * that the system gives to connections: it could be taken before the server has it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    const probe = createServer();
    const isFree = await new Promise((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
