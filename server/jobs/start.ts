import type { Deps } from '../deps.ts';
import { startJob } from './runner.ts';
import { sendDueMail } from './send-mail.ts';
import { sweep } from './sweep.ts';
import { queueUnlockNotices } from './unlock-notices.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

export interface Jobs {
  /** `deps.mailQueued`: call it after the transaction that queued an email. */
  mailQueued(): void;
  /** Resolves when the passes under way have ended. */
  stop(): Promise<void>;
}

/** Starts all jobs. Any number of processes can run them on one database. */
export function startJobs(deps: Omit<Deps, 'mailQueued'>): Jobs {
  const mail = startJob(deps, {
    name: 'send-mail',
    intervalMs: 15 * SECOND_MS,
    run: (signal) => sendDueMail(deps, signal),
  });
  const unlockNotices = startJob(deps, {
    name: 'unlock-notices',
    intervalMs: 10 * SECOND_MS,
    run: (signal) => queueUnlockNotices({ ...deps, mailQueued: mail.wake }, signal),
  });
  const sweeping = startJob(deps, {
    name: 'sweep',
    intervalMs: HOUR_MS,
    run: (signal) => sweep(deps, signal),
  });
  return {
    mailQueued: mail.wake,
    async stop() {
      await Promise.all([mail.stop(), unlockNotices.stop(), sweeping.stop()]);
    },
  };
}
