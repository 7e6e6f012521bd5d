import { createPasswords } from './auth/passwords.ts';
import { createSessions } from './auth/sessions.ts';
import { createClientLimits } from './client-limits.ts';
import type { Deps, Wakes } from './deps.ts';
import { createIds } from './ids.ts';
import { type Jobs, startJobs } from './jobs/start.ts';
import { createMailer } from './mail/create-mailer.ts';
import { writeInNameOf } from './mail/templates/layout.ts';
import { createPushSender } from './push/web-push.ts';

export interface Composition {
  deps: Deps;
  jobs: Jobs;
}

/** Dependencies that the caller provides. */
export type Given = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'files'>;

/**
 * Chooses the implementation behind each port and starts the jobs. Tests pass their own
 * implementations.
 */
export function createDeps(given: Given & Partial<Omit<Deps, keyof Wakes>>): Composition {
  const { config, log, db, clock, ids = createIds(given.clock) } = given;
  writeInNameOf(config.siteName);
  const parts: Omit<Deps, keyof Wakes> = {
    ids,
    mailer: createMailer({ config, log }),
    push: createPushSender(config),
    sessions: createSessions({ db, clock, ids }),
    passwords: createPasswords(),
    // The embedded database has one server.
    limits: createClientLimits(config, config.databaseUrl ? db : null),
    lifecycle: { stopping: false },
    ...given,
  };
  const jobs = startJobs(parts);
  return { deps: { ...parts, ...jobs.wakes }, jobs };
}
