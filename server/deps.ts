import type { Passwords } from './auth/passwords.ts';
import type { Sessions } from './auth/sessions.ts';
import type { ClientLimits } from './client-limits.ts';
import type { Clock } from './clock/clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/open.ts';
import type { FileStore } from './files/file-store.ts';
import type { Ids } from './ids.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { PushSender } from './push/push-sender.ts';

/**
 * Everything functions depend on. Each one asks for the parts it uses: `Pick<Deps, 'db' |
 * 'clock'>`.
 */
export interface Deps {
  config: Config;
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Log;
  mailer: Mailer;
  push: PushSender;
  files: FileStore;
  sessions: Sessions;
  passwords: Passwords;
  limits: ClientLimits;
  /** Set while the server stops. `/readyz` then answers 503. */
  lifecycle: { stopping: boolean };
  /** Wakes the mail job, after the transaction that queued a mail has committed. */
  mailQueued: () => void;
  /** Wakes the job that removes files, after the transaction that released some has committed. */
  filesReleased: () => void;
}

/** What the jobs provide once they run. */
export type Wakes = Pick<Deps, 'mailQueued' | 'filesReleased'>;
