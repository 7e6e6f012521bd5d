import { later } from '../clock/clock.ts';
import { lockPeopleOf } from '../db/emails/bounces.ts';
import { beginSecondTry, markEnded, markRetry, setBatch } from '../db/emails/outcomes.ts';
import type { Sending } from '../db/emails/sendings.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import {
  ATTEMPTS_MAX,
  mayHaveArrived,
  PutOffError,
  retryDelay,
} from '../domain/emails/next-attempt.ts';
import { noteBounce, noteFailure } from '../domain/emails/send-again.ts';
import {
  asReason,
  EmailDeferredError,
  MailboxRefusedError,
  MailDeferredError,
  MailRefusedError,
  OutcomeUnknownError,
} from '../mail/mailer.ts';

export type SettleDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'log'>;

/** What one call shows about the provider. */
export type ProviderState =
  | { provider: 'answers' | 'defers' | 'away' }
  | { provider: 'busy'; forMs: number };

/** Notes what becomes of emails that one call did not send. @param sendings with the address of this attempt */
export async function settleFailure(
  deps: SettleDeps,
  sendings: Sending[],
  error: unknown,
): Promise<ProviderState> {
  const { db, log } = deps;
  // Errors of the database quote what people wrote.
  const { name, code = '', message = `${name} ${code}` } = describeError(error);
  const reason = asReason(message);
  if (error instanceof PutOffError) {
    await markRetry(db, sendings, { nextAttemptAt: error.until, failure: null });
    return { provider: 'answers' };
  }
  if (error instanceof MailDeferredError) {
    const forMs = error.retryAfterMs;
    await markRetry(db, sendings, { nextAttemptAt: later(deps.clock.now(), forMs), failure: null });
    log.info(
      { ...asLogged(sendings), reason: withoutAddresses(reason), forMs },
      'The email provider is busy.',
    );
    return { provider: 'busy', forMs };
  }
  if (error instanceof MailRefusedError) {
    if (sendings.length > 1) return split(deps, sendings);
    const isGone = error instanceof MailboxRefusedError;
    await giveUp(deps, sendings, { outcome: isGone ? 'bounced' : 'failed', reason });
    return { provider: 'answers' };
  }
  const isUnknown = error instanceof OutcomeUnknownError;
  const isLast = ({ attempts }: Sending) => attempts >= ATTEMPTS_MAX;
  await giveUp(deps, sendings.filter(isLast), {
    outcome: isUnknown ? 'unknown' : 'failed',
    reason,
  });
  const again = sendings.filter((one) => !isLast(one));
  if (again.length > 0) {
    // One time for all: what belongs together is tried together.
    const attempts = Math.max(...again.map((one) => one.attempts));
    const nextAttemptAt = later(deps.clock.now(), retryDelay(attempts));
    await markRetry(db, again, { nextAttemptAt, failure: { reason, isUnknown } });
    log.warn(
      { ...asLogged(again), attempts, reason: withoutAddresses(reason) },
      'Emails could not be sent yet.',
    );
  }
  return { provider: error instanceof EmailDeferredError ? 'defers' : 'away' };
}

/** The provider refuses a whole batch for one of its emails: halves show which one it is. */
async function split(deps: SettleDeps, sendings: Sending[]): Promise<ProviderState> {
  deps.log.info(asLogged(sendings), 'The provider refused a batch of emails. Trying its halves …');
  const middle = Math.ceil(sendings.length / 2);
  await deps.db.transaction(async (tx) => {
    for (const half of [sendings.slice(0, middle), sendings.slice(middle)]) {
      await setBatch(tx, half, deps.ids.uuid());
    }
    // What it refuses, it has not taken at an earlier attempt either.
    const untaken = sendings.map((one) => ({ ...one, begunAt: null }));
    await markRetry(tx, untaken, { nextAttemptAt: deps.clock.now(), failure: null });
  });
  return { provider: 'answers' };
}

/** As `settleFailure`, for a sending without which its call goes out: it leaves the batch. */
export async function settleAlone(
  deps: SettleDeps,
  sending: Sending,
  error: unknown,
): Promise<void> {
  const { batchId, begunAt } = sending;
  // The key stays with the batch. Under another one, it could arrive twice, and nobody would know.
  if (batchId && begunAt) return settleUnanswered(deps, sending);
  if (batchId) await setBatch(deps.db, [sending], null);
  await settleFailure(deps, [sending], error);
}

/** An email that may have arrived goes once more, and may then arrive twice. After that, nobody knows. */
export async function settleUnanswered(
  { db, clock, log }: SettleDeps,
  sending: Sending,
): Promise<void> {
  const at = clock.now();
  if (sending.isSecondTry) await markEnded(db, [sending], { outcome: 'unknown', at });
  else await beginSecondTry(db, sending, at);
  const message = sending.isSecondTry
    ? 'Gave up on an email that was sent twice: it is not known whether it has arrived.'
    : 'It is not known whether an email has arrived. It is sent once more.';
  log.warn(asLogged([sending]), message);
}

/** Ends sendings for good, and sends what did not arrive to another address of the person. */
export async function giveUp(
  deps: SettleDeps,
  sendings: Sending[],
  ended: { outcome: 'failed' | 'bounced' | 'unknown'; reason: string },
): Promise<void> {
  if (sendings.length === 0) return;
  const { db, clock, ids, log } = deps;
  const at = clock.now();
  // In one step: after a crash in between, nothing would go to the second address.
  await db.transaction(async (tx) => {
    await lockPeopleOf(tx, sendings);
    for (const sending of sendings) {
      // It may have arrived at an earlier attempt, and is then told at no other address.
      const isUnknown = ended.outcome === 'failed' && mayHaveArrived(sending);
      const outcome = isUnknown ? 'unknown' : ended.outcome;
      await markEnded(tx, [sending], { ...ended, outcome, at });
      if (outcome === 'bounced') await noteBounce({ db: tx, clock, ids }, sending, at);
      if (outcome === 'failed') await noteFailure({ db: tx, clock, ids }, sending);
    }
  });
  const reason = withoutAddresses(ended.reason);
  for (const sending of sendings) {
    log.error({ ...asLogged([sending]), reason }, 'Gave up on an email.');
  }
}

/** For the log: what one call was about. */
export function asLogged(sendings: Sending[]) {
  const [first] = sendings;
  const { id: sending, emailId: email, attempts, batchId } = first ?? {};
  const kind = first?.email.kind;
  const emails = sendings.length;
  return { email, sending, kind, attempts, emails, ...(batchId && { batchId }) };
}

/** For the log: servers repeat the address they refuse. The sending's row keeps it for the operator. */
function withoutAddresses(reason: string): string {
  return reason.replaceAll(/[^\s<>"(),;:]+@[^\s<>"(),;:]+/g, '…');
}
