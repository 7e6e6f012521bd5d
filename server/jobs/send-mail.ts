import { setTimeout as delay } from 'node:timers/promises';
import { findAddressee } from '../db/mail-subjects.ts';
import {
  claimDueMails,
  type MailRow,
  markDeferred,
  markDropped,
  markFailed,
  markRetry,
  markSent,
} from '../db/mails.ts';
import type { Deps } from '../deps.ts';
import { renderMail, TooEarlyError } from '../domain/mail-content.ts';
import { MAIL_ATTEMPTS_MAX, retryDelay } from '../domain/mail-schedule.ts';
import { MailDeferredError, MailRefusedError } from '../mail/mailer.ts';

/** Few, so that neither the provider nor the database is flooded on a busy unlock day. */
const AT_ONCE = 5;
/**
 * Far longer than the time limits of the drivers, so that an email in progress is never sent
 * twice.
 */
const LEASE_MS = 600_000;
/** If the provider asks for a longer pause than this, the rest waits for a later pass. */
const PAUSE_MAX_MS = 10_000;
const REASON_MAX = 500;

type SendDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'log' | 'mailer'>;

/** What one email shows about the provider's state. */
type Outcome = { provider: 'answers' | 'away' } | { provider: 'busy'; forMs: number };

/**
 * Sends due emails, a few at a time. If a whole batch fails, the provider is unreachable, and the
 * rest waits for the next pass. An email is sent again only if the process dies between the
 * provider's answer and its row, under the same idempotency key.
 */
export async function sendDueMail(deps: SendDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const rows = await claimDueMails(deps.db, {
      now: deps.clock.now(),
      leaseMs: LEASE_MS,
      limit: AT_ONCE,
    });
    if (rows.length === 0) return;
    const outcomes = await allOf(rows.map((row) => attempt(deps, row)));
    if (outcomes.every(({ provider }) => provider === 'away')) return;
    const pauseMs = Math.max(0, ...outcomes.map((o) => (o.provider === 'busy' ? o.forMs : 0)));
    if (pauseMs > PAUSE_MAX_MS) return;
    if (pauseMs > 0) await pause(pauseMs, signal);
  }
}

async function attempt(deps: SendDeps, row: MailRow): Promise<Outcome> {
  if (row.attempts > MAIL_ATTEMPTS_MAX) {
    // Every attempt crashed the process, and another one would too.
    await giveUp(deps, row, row.lastError ?? 'No attempt ever came to an end.');
    return { provider: 'answers' };
  }
  try {
    const mail = await renderMail(deps, row);
    if (!mail) {
      await markDropped(deps.db, row);
      return { provider: 'answers' };
    }
    await deps.mailer.send(mail);
    await removeIfAccountIsGone(deps, row);
  } catch (error) {
    return settleFailure(deps, row, error);
  }
  await markSent(deps.db, row, deps.clock.now());
  deps.log.info({ mail: row.id, kind: row.kind, attempts: row.attempts }, 'mail sent');
  return { provider: 'answers' };
}

/** An account deleted while its email was being sent has looked for stored copies too early. */
async function removeIfAccountIsGone({ db, mailer }: SendDeps, { toAddress }: MailRow) {
  if (!mailer.removeTo) return;
  if (!(await findAddressee(db, { email: toAddress }))) await mailer.removeTo(toAddress);
}

async function settleFailure(deps: SendDeps, row: MailRow, error: unknown): Promise<Outcome> {
  const reason = reasonOf(error);
  const inFuture = (ms: number) => new Date(deps.clock.now().getTime() + ms);
  if (error instanceof TooEarlyError) {
    await markDeferred(deps.db, row, error.until);
    return { provider: 'answers' };
  }
  if (error instanceof MailDeferredError) {
    await markDeferred(deps.db, row, inFuture(error.retryAfterMs));
    deps.log.info({ mail: row.id, reason, forMs: error.retryAfterMs }, 'mail provider is busy');
    return { provider: 'busy', forMs: error.retryAfterMs };
  }
  if (error instanceof MailRefusedError) {
    await giveUp(deps, row, reason);
    return { provider: 'answers' };
  }
  if (row.attempts >= MAIL_ATTEMPTS_MAX) {
    await giveUp(deps, row, reason);
    return { provider: 'away' };
  }
  await markRetry(deps.db, row, { nextAttemptAt: inFuture(retryDelay(row.attempts)), reason });
  deps.log.warn({ mail: row.id, kind: row.kind, attempts: row.attempts, reason }, 'mail not sent');
  return { provider: 'away' };
}

async function giveUp({ db, log }: SendDeps, row: MailRow, reason: string): Promise<void> {
  await markFailed(db, row, reason);
  log.error({ mail: row.id, kind: row.kind, attempts: row.attempts, reason }, 'mail given up');
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').slice(0, REASON_MAX);
}

/** As Promise.all, but nothing is still running when it rejects. */
async function allOf<T>(promises: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
