import { join } from 'node:path';
import { createPasswords } from './auth/passwords.ts';
import { createSessions } from './auth/sessions.ts';
import type { Deps } from './deps.ts';
import { createFileStore } from './files/create-file-store.ts';
import { createStaticFiles } from './http/static.ts';
import { randomIds } from './ids.ts';
import { type Jobs, startJobs } from './jobs/start.ts';
import { createMailer } from './mail/create-mailer.ts';
import { projectRoot } from './project-root.ts';

export interface Composition {
  deps: Deps;
  jobs: Jobs;
}

/** What only the caller can know. */
export type Given = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>;

/**
 * Puts the server together and starts its jobs: the one place that picks the implementation
 * behind each port. What is handed in replaces ours.
 */
export function createDeps(given: Given & Partial<Omit<Deps, 'mailQueued'>>): Composition {
  const { config, log, db, clock, ids = randomIds } = given;
  const parts: Omit<Deps, 'mailQueued'> = {
    ids,
    mailer: createMailer({ config, log }),
    files: createFileStore(config),
    sessions: createSessions({ db, clock, ids }),
    passwords: createPasswords(),
    staticFiles: createStaticFiles(join(projectRoot, 'dist', 'client')),
    lifecycle: { stopping: false },
    ...given,
  };
  const jobs = startJobs(parts);
  return { deps: { ...parts, mailQueued: jobs.mailQueued }, jobs };
}
