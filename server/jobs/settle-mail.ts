import { lockUser } from '../db/accounts/users.ts';
import {
  type Attempt,
  markDeferred,
  markFailed,
  markRetry,
  setAttempts,
} from '../db/emails/mail-outcomes.ts';
import type { MailRow } from '../db/emails/mails.ts';
import type { Queryable } from '../db/open.ts';
import type { Deps } from '../deps.ts';
import { noteBounce, noteFailure } from '../domain/emails/bounces.ts';
import { addressMails } from '../domain/emails/mail-address.ts';
import { MAIL_ATTEMPTS_MAX, retryDelay } from '../domain/emails/mail-schedule.ts';
import { TooEarlyError } from '../domain/emails/too-early-error.ts';
import { EMAIL_KINDS } from '../mail/kinds.ts';
import {
  asReason,
  MailboxRefusedError,
  MailDeferredError,
  type Mailer,
  MailRefusedError,
  OutcomeUnknownError,
} from '../mail/mailer.ts';

type SettleDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/** What one attempt shows about the provider's state. */
export type Outcome = { provider: 'answers' | 'away' } | { provider: 'busy'; forMs: number };

/**
 * Notes what becomes of emails that one call did not send. @param rows as they were before the
 * attempt
 */
export async function settleFailure(
  deps: SettleDeps,
  rows: MailRow[],
  error: unknown,
): Promise<Outcome> {
  const { db, log } = deps;
  const reason = reasonOf(error);
  // Any other error says that the provider has not taken the emails, so what was known of them before
  // the attempt is true again.
  if (!(error instanceof OutcomeUnknownError)) await setAttempts(db, rows);
  if (error instanceof TooEarlyError) {
    await markDeferred(db, rows, error.until);
    return { provider: 'answers' };
  }
  if (error instanceof MailDeferredError) {
    await markDeferred(db, rows, inFuture(deps, error.retryAfterMs));
    log.info(
      { ...named(rows), reason: withoutAddresses(reason), forMs: error.retryAfterMs },
      'The email provider is busy.',
    );
    return { provider: 'busy', forMs: error.retryAfterMs };
  }
  if (error instanceof MailRefusedError) {
    const isGone = error instanceof MailboxRefusedError;
    await giveUp(deps, rows, { reason, isGone, goOn: isGone ? noteBounce : noteFailure });
    return { provider: 'answers' };
  }
  const isLast = ({ attempts }: MailRow) => attempts >= MAIL_ATTEMPTS_MAX;
  // One that may have arrived is told on no other channel.
  const goOn = error instanceof OutcomeUnknownError ? undefined : noteFailure;
  await giveUp(deps, rows.filter(isLast), { reason, goOn });
  const again = rows.filter((row) => !isLast(row));
  if (again.length > 0) {
    // One time for all: what belongs together is tried together.
    const attempts = Math.max(...again.map((row) => row.attempts));
    await markRetry(db, again, { nextAttemptAt: inFuture(deps, retryDelay(attempts)), reason });
    log.warn(
      { ...named(again), attempts, reason: withoutAddresses(reason) },
      'An email could not be sent yet.',
    );
  }
  return { provider: 'away' };
}

/** So long a newer version has to send what only it knows. */
const NEWER_WAITS_MS = 60_000;

type StartDeps = SettleDeps & { mailer: Pick<Mailer, 'keyKnownMs'> };

/**
 * Makes claimed emails ready for an attempt: sets where they go, and gives up those that are not to
 * be tried again. Their every attempt crashed the process, as another one would; or two of them may
 * have arrived. @returns the others
 */
export async function readyMails(deps: StartDeps, claimed: MailRow[]): Promise<MailRow[]> {
  const rows = claimed.filter(({ kind }) => Object.hasOwn(EMAIL_KINDS, kind));
  // A newer version that runs beside this one has queued the others, and sends them.
  const newer = claimed.filter((row) => !rows.includes(row));
  if (newer.length > 0) await markDeferred(deps.db, newer, inFuture(deps, NEWER_WAITS_MS));
  const worn: MailRow[] = [];
  const spent: MailRow[] = [];
  const free: MailRow[] = [];
  for (const row of rows) {
    if (row.attempts > MAIL_ATTEMPTS_MAX) worn.push(row);
    // Goes to the same address, under the key that is known.
    else if (isKeyKnown(deps, row)) continue;
    else if (isSpent(row)) spent.push(row);
    else free.push(row);
  }
  await giveUp(deps, worn, { reason: 'The last attempt never came to an end.' });
  await giveUp(deps, spent, { reason: UNKNOWN });
  await addressMails(deps, free);
  const over = new Set([...worn, ...spent]);
  return rows.filter((row) => !over.has(row));
}

const UNKNOWN = 'It was sent twice, and it is not known whether it has arrived.';

/** The one repeat of an email that may have arrived was made, and may have arrived as well. */
const isSpent = ({ unknownSince, resent }: MailRow) => unknownSince !== null && resent;

/**
 * Whether the provider still knows the key of an attempt with an unknown outcome. Then another one
 * under that key, to the same address, sends nothing twice. Postponed emails go together with
 * others, under another key each time.
 */
function isKeyKnown({ clock, mailer }: StartDeps, { unknownSince, postponed }: MailRow): boolean {
  if (unknownSince === null || postponed) return false;
  return clock.now().getTime() - unknownSince.getTime() < (mailer.keyKnownMs ?? 0);
}

/**
 * Gives up a letter whose text, and so its key, is new each time, if its one repeat was made.
 * @returns whether it was
 */
export async function giveUpSpent(deps: SettleDeps, rows: MailRow[]): Promise<boolean> {
  const spent = rows.some(isSpent);
  if (spent) await giveUp(deps, rows, { reason: UNKNOWN });
  return spent;
}

/** Notes that an attempt begins: until its outcome is known, the emails may have arrived. */
export async function noteAttempt(
  deps: StartDeps,
  rows: MailRow[],
  { textVaries = false }: { textVaries?: boolean | undefined } = {},
): Promise<void> {
  const now = deps.clock.now();
  const attempts = rows.map((row): Attempt => {
    const isRepeat = row.unknownSince !== null && (textVaries || !isKeyKnown(deps, row));
    const unknownSince = isRepeat ? now : (row.unknownSince ?? now);
    return { ...row, unknownSince, resent: row.resent || isRepeat };
  });
  await setAttempts(deps.db, attempts);
}

/** What is done about an email besides, such as sending it to another address. */
type GoOn = typeof noteBounce;

async function giveUp(
  { db, clock, log }: SettleDeps,
  rows: MailRow[],
  { goOn, ...why }: { reason: string; isGone?: boolean; goOn?: GoOn | undefined },
): Promise<void> {
  if (rows.length === 0) return;
  const at = clock.now();
  // In one step: after a crash in between, nothing would go to the second address.
  await db.transaction(async (tx) => {
    if (goOn) await lockPeople(tx, rows);
    await markFailed(tx, rows, { ...why, at });
    for (const row of rows) await goOn?.({ db: tx, clock }, row, at);
  });
  const reason = withoutAddresses(why.reason);
  for (const { id: mail, kind, attempts } of rows) {
    log.error({ mail, kind, attempts, reason }, 'Gave up on an email.');
  }
}

/** People are locked before their emails, as the deletion of an account does, and in one order. */
async function lockPeople(tx: Queryable, rows: MailRow[]): Promise<void> {
  const people = new Set(rows.flatMap(({ userId }) => userId ?? []));
  for (const id of [...people].sort()) await lockUser(tx, id);
}

const isNotice = ({ kind }: MailRow) => EMAIL_KINDS[kind].isNotice;

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
  return asReason(error instanceof Error ? error.message : String(error));
}

/** For the log: servers repeat the address they refuse. The email's row keeps it for the operator. */
function withoutAddresses(reason: string): string {
  return reason.replaceAll(/[^\s<>"(),;:]+@[^\s<>"(),;:]+/g, '…');
}
