import { HOUR_MS, MINUTE_MS } from '../../shared/limits.ts';
import type { Deps, Wakes } from '../deps.ts';
import { activateChanges } from './activate-changes.ts';
import { announceOpenings } from './announce-openings.ts';
import { deleteAccounts } from './delete-accounts.ts';
import { readBounces } from './read-bounces.ts';
import { removeReleased } from './remove-files.ts';
import { type Job, type RunningJob, startJob } from './runner.ts';
import { sendDueEmails } from './send-emails.ts';
import { sendDuePushes } from './send-push.ts';
import { sweep } from './sweep.ts';
import { queueYearlyEmails } from './yearly-emails.ts';

const SECOND_MS = 1_000;

export interface Jobs {
  wakes: Wakes;
  /** Resolves when the passes under way have ended. */
  stop(): Promise<void>;
}

const NO_JOBS: Jobs = {
  wakes: { mailQueued: () => {}, filesReleased: () => {} },
  stop: async () => {},
};

/** Starts all jobs, unless other processes run them. Any number can run them on one database. */
export function startJobs(deps: Omit<Deps, keyof Wakes>): Jobs {
  if (!deps.config.jobs) return NO_JOBS;
  const jobs: RunningJob[] = [];
  const start = (name: string, intervalMs: number, run: Job['run']): RunningJob => {
    const job = startJob(deps, { name, intervalMs, run });
    jobs.push(job);
    return job;
  };
  const emails = start('send-emails', 15 * SECOND_MS, (signal) => sendDueEmails(deps, signal));
  const pushes = start('send-push', 15 * SECOND_MS, (signal) => sendDuePushes(deps, signal));
  const queueing = { ...deps, mailQueued: emails.wake };
  const announcing = {
    ...deps,
    mailQueued: () => {
      emails.wake();
      pushes.wake();
    },
  };
  start('announce-openings', 10 * SECOND_MS, (signal) => announceOpenings(announcing, signal));
  start('activate-changes', MINUTE_MS, (signal) => activateChanges(queueing, signal));
  start('yearly-emails', HOUR_MS, (signal) => queueYearlyEmails(queueing, signal));
  start('read-bounces', 3 * MINUTE_MS, (signal) => readBounces(queueing, signal));
  const released = start('remove-files', MINUTE_MS, (signal) => removeReleased(deps, signal));
  const deleting = { ...queueing, filesReleased: released.wake };
  start('delete-accounts', MINUTE_MS, (signal) => deleteAccounts(deleting, signal));
  start('sweep', HOUR_MS, (signal) => sweep(deps, signal));
  return {
    wakes: { mailQueued: emails.wake, filesReleased: released.wake },
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
