import type { Deps, Wakes } from '../deps.ts';
import { activateChanges } from './activate-changes.ts';
import { announceOpenings } from './announce-openings.ts';
import { deleteAccounts } from './delete-accounts.ts';
import { readBounces } from './read-bounces.ts';
import { removeReleased } from './remove-released.ts';
import { startJob } from './runner.ts';
import { sendDueEmails } from './send-emails.ts';
import { sendDuePushes } from './send-push.ts';
import { sweep } from './sweep.ts';
import { queueYearlyEmails } from './yearly-emails.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 3_600_000;

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
  const mail = startJob(deps, {
    name: 'send-emails',
    intervalMs: 15 * SECOND_MS,
    run: (signal) => sendDueEmails(deps, signal),
  });
  const push = startJob(deps, {
    name: 'send-push',
    intervalMs: 15 * SECOND_MS,
    run: (signal) => sendDuePushes(deps, signal),
  });
  const wakeBoth = () => {
    mail.wake();
    push.wake();
  };
  const openings = startJob(deps, {
    name: 'announce-openings',
    intervalMs: 10 * SECOND_MS,
    run: (signal) => announceOpenings({ ...deps, mailQueued: wakeBoth }, signal),
  });
  const changes = startJob(deps, {
    name: 'activate-changes',
    intervalMs: MINUTE_MS,
    run: (signal) => activateChanges({ ...deps, mailQueued: mail.wake }, signal),
  });
  const yearlyEmails = startJob(deps, {
    name: 'yearly-emails',
    intervalMs: HOUR_MS,
    run: (signal) => queueYearlyEmails({ ...deps, mailQueued: mail.wake }, signal),
  });
  const bounces = startJob(deps, {
    name: 'read-bounces',
    intervalMs: 3 * MINUTE_MS,
    run: (signal) => readBounces({ ...deps, mailQueued: mail.wake }, signal),
  });
  const removing = startJob(deps, {
    name: 'remove-released',
    intervalMs: 600 * SECOND_MS,
    run: (signal) => removeReleased(deps, signal),
  });
  const deleting = startJob(deps, {
    name: 'delete-accounts',
    intervalMs: MINUTE_MS,
    run: (signal) =>
      deleteAccounts({ ...deps, mailQueued: mail.wake, filesReleased: removing.wake }, signal),
  });
  const sweeping = startJob(deps, {
    name: 'sweep',
    intervalMs: HOUR_MS,
    run: (signal) => sweep(deps, signal),
  });
  return {
    wakes: { mailQueued: mail.wake, filesReleased: removing.wake },
    async stop() {
      const jobs = [
        ...[mail, push, openings, changes, yearlyEmails, bounces, removing],
        ...[deleting, sweeping],
      ];
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
