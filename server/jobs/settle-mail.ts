import { type MailRow, markDeferred, markFailed, markRetry } from '../db/mails.ts';
import { NOTICE_KINDS } from '../db/notices.ts';
import type { Deps } from '../deps.ts';
import { MAIL_ATTEMPTS_MAX, retryDelay } from '../domain/mail-schedule.ts';
import { TooEarlyError } from '../domain/too-early-error.ts';
import { MailDeferredError, MailRefusedError } from '../mail/mailer.ts';

const REASON_MAX = 500;

type SettleDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/** What one attempt shows about the provider's state. */
export type Outcome = { provider: 'answers' | 'away' } | { provider: 'busy'; forMs: number };

/** Notes what becomes of emails that one call did not send. */
export async function settleFailure(
  deps: SettleDeps,
  rows: MailRow[],
  error: unknown,
): Promise<Outcome> {
  const { db, log } = deps;
  const reason = reasonOf(error);
  if (error instanceof TooEarlyError) {
    await markDeferred(db, rows, error.until);
    return { provider: 'answers' };
  }
  if (error instanceof MailDeferredError) {
    await markDeferred(db, rows, inFuture(deps, error.retryAfterMs));
    log.info({ ...named(rows), reason, forMs: error.retryAfterMs }, 'mail provider is busy');
    return { provider: 'busy', forMs: error.retryAfterMs };
  }
  if (error instanceof MailRefusedError) {
    await giveUp(deps, rows, { reason, refusedAt: deps.clock.now() });
    return { provider: 'answers' };
  }
  const isLast = ({ attempts }: MailRow) => attempts >= MAIL_ATTEMPTS_MAX;
  await giveUp(deps, rows.filter(isLast), { reason, refusedAt: null });
  const again = rows.filter((row) => !isLast(row));
  if (again.length > 0) {
    // One time for all: what belongs together is tried together.
    const attempts = Math.max(...again.map((row) => row.attempts));
    await markRetry(db, again, { nextAttemptAt: inFuture(deps, retryDelay(attempts)), reason });
    log.warn({ ...named(again), attempts, reason }, 'mail not sent');
  }
  return { provider: 'away' };
}

/**
 * Gives up emails whose every attempt crashed the process, as another one would. @returns the
 * others
 */
export async function giveUpWorn(deps: SettleDeps, rows: MailRow[]): Promise<MailRow[]> {
  const isWorn = ({ attempts }: MailRow) => attempts > MAIL_ATTEMPTS_MAX;
  const reason = 'The last attempt never came to an end.';
  await giveUp(deps, rows.filter(isWorn), { reason, refusedAt: null });
  return rows.filter((row) => !isWorn(row));
}

async function giveUp(
  { db, log }: SettleDeps,
  rows: MailRow[],
  why: { reason: string; refusedAt: Date | null },
): Promise<void> {
  if (rows.length === 0) return;
  await markFailed(db, rows, why);
  for (const { id: mail, kind, attempts } of rows) {
    log.error({ mail, kind, attempts, reason: why.reason }, 'mail given up');
  }
}

const isNotice = ({ kind }: MailRow) => NOTICE_KINDS.some((one) => one === kind);

export const noticeKey = ({ kind, userId }: MailRow) => `${kind} ${userId}`;

/** @returns milliseconds until the person may get another notice of this kind; 0 for now */
export async function countNotice({ limits }: Pick<Deps, 'limits'>, row: MailRow): Promise<number> {
  return isNotice(row) ? limits.countOrWait('noticeToOne', noticeKey(row)) : 0;
}

export async function uncountNotice({ limits }: Pick<Deps, 'limits'>, row: MailRow): Promise<void> {
  if (isNotice(row)) await limits.uncount('noticeToOne', noticeKey(row));
}

/** For the log: what one call was about. */
export function named(rows: MailRow[]) {
  const [first] = rows;
  const { id: mail, kind, attempts, batchId } = first ?? {};
  return { mail, kind, attempts, emails: rows.length, ...(batchId && { batchId }) };
}

export function inFuture({ clock }: Pick<Deps, 'clock'>, ms: number): Date {
  return new Date(clock.now().getTime() + ms);
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').slice(0, REASON_MAX);
}
