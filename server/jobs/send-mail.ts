import { setTimeout as delay } from 'node:timers/promises';
import { findAddressee } from '../db/mail-subjects.ts';
import {
  claimDueMails,
  claimPostponed,
  type MailRow,
  markDeferred,
  markDropped,
  markFailed,
  markRetry,
  markSent,
} from '../db/mails.ts';
import { NOTICE_KINDS } from '../db/notices.ts';
import type { Deps } from '../deps.ts';
import { renderMail, renderTogether, TooEarlyError } from '../domain/mail-content.ts';
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
/** As many postponed notices go in one email. */
const TOGETHER_MAX = 1_000;

type SendDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits' | 'log' | 'mailer'>;

/** What is sent as one email: one row, or notices of one kind that were postponed for one person. */
type Letter = [MailRow, ...MailRow[]];

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
    const outcomes = await allOf(lettersOf(rows).map((letter) => attempt(deps, letter)));
    if (outcomes.every(({ provider }) => provider === 'away')) return;
    const pauseMs = Math.max(0, ...outcomes.map((o) => (o.provider === 'busy' ? o.forMs : 0)));
    if (pauseMs > PAUSE_MAX_MS) return;
    if (pauseMs > 0) await pause(pauseMs, signal);
  }
}

function lettersOf(rows: MailRow[]): Letter[] {
  const letters = new Map<string, Letter>();
  for (const row of rows) {
    const key = row.postponed ? noticeKey(row) : row.id;
    const letter = letters.get(key);
    if (letter) letter.push(row);
    else letters.set(key, [row]);
  }
  return [...letters.values()];
}

const noticeKey = ({ kind, userId }: MailRow) => `${kind} ${userId}`;

async function attempt(deps: SendDeps, letter: Letter): Promise<Outcome> {
  const [row] = letter;
  if (row.attempts > MAIL_ATTEMPTS_MAX) {
    // Every attempt crashed the process, and another one would too.
    await each(letter, (one) =>
      giveUp(deps, one, one.lastError ?? 'No attempt ever came to an end.'),
    );
    return { provider: 'answers' };
  }
  const isNotice = NOTICE_KINDS.some((kind) => kind === row.kind);
  const uncount = () => isNotice && deps.limits.uncount('noticeToOne', noticeKey(row));
  try {
    const waitMs = isNotice ? await deps.limits.countOrWait('noticeToOne', noticeKey(row)) : 0;
    if (waitMs > 0) {
      const until = inFuture(deps, waitMs);
      await each(letter, (one) => markDeferred(deps.db, one, until, { postponed: true }));
      return { provider: 'answers' };
    }
    const mail = await render(deps, letter);
    if (!mail) {
      await uncount();
      await each(letter, (one) => markDropped(deps.db, one));
      return { provider: 'answers' };
    }
    await deps.mailer.send(mail);
    await removeIfAccountIsGone(deps, row);
  } catch (error) {
    await uncount();
    const [outcome] = await each(letter, (one) => settleFailure(deps, one, error));
    return outcome ?? { provider: 'away' };
  }
  await each(letter, (one) => markSent(deps.db, one, deps.clock.now()));
  const { id: mail, kind, attempts } = row;
  deps.log.info({ mail, kind, attempts, notices: letter.length }, 'mail sent');
  return { provider: 'answers' };
}

/** Adds to a postponed letter what else waits for the same person. */
async function render(deps: SendDeps, letter: Letter) {
  const [row] = letter;
  if (!row.postponed) return renderMail(deps, row);
  const lease = { now: deps.clock.now(), leaseMs: LEASE_MS, limit: TOGETHER_MAX };
  letter.push(...(await claimPostponed(deps.db, row, lease)));
  return letter.length === 1 ? renderMail(deps, row) : renderTogether(deps, letter);
}

/** An account deleted while its email was being sent has looked for stored copies too early. */
async function removeIfAccountIsGone({ db, mailer }: SendDeps, { toAddress }: MailRow) {
  if (!mailer.removeTo) return;
  if (!(await findAddressee(db, { email: toAddress }))) await mailer.removeTo(toAddress);
}

async function settleFailure(deps: SendDeps, row: MailRow, error: unknown): Promise<Outcome> {
  const reason = reasonOf(error);
  if (error instanceof TooEarlyError) {
    await markDeferred(deps.db, row, error.until);
    return { provider: 'answers' };
  }
  if (error instanceof MailDeferredError) {
    await markDeferred(deps.db, row, inFuture(deps, error.retryAfterMs));
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
  await markRetry(deps.db, row, {
    nextAttemptAt: inFuture(deps, retryDelay(row.attempts)),
    reason,
  });
  deps.log.warn({ mail: row.id, kind: row.kind, attempts: row.attempts, reason }, 'mail not sent');
  return { provider: 'away' };
}

async function giveUp({ db, log }: SendDeps, row: MailRow, reason: string): Promise<void> {
  await markFailed(db, row, reason);
  log.error({ mail: row.id, kind: row.kind, attempts: row.attempts, reason }, 'mail given up');
}

function inFuture({ clock }: Pick<Deps, 'clock'>, ms: number): Date {
  return new Date(clock.now().getTime() + ms);
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').slice(0, REASON_MAX);
}

/** One after another: a letter may have a thousand rows, and others need the database too. */
async function each<T>(letter: Letter, settle: (row: MailRow) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const row of letter) results.push(await settle(row));
  return results;
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
