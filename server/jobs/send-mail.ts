import { setTimeout as delay } from 'node:timers/promises';
import {
  claimBatch,
  claimDueMails,
  claimPostponed,
  claimPostponedMails,
  claimUrgentMails,
} from '../db/emails/mail-claims.ts';
import { markDropped, markPostponed, markSent } from '../db/emails/mail-outcomes.ts';
import { isForSomebody, type MailRow } from '../db/emails/mails.ts';
import type { Deps } from '../deps.ts';
import { renderMail } from '../domain/email-content/mail-content.ts';
import { renderTogether } from '../domain/email-content/notice-content.ts';
import { allOf } from '../limiter.ts';
import { BATCH_MAX, type ProviderId } from '../mail/mailer.ts';
import { sendBatch } from './send-batch.ts';
import {
  countNotice,
  giveUpSpent,
  inFuture,
  named,
  noteAttempt,
  noticeKey,
  type Outcome,
  readyMails,
  settleFailure,
  uncountNotice,
} from './settle-mail.ts';

/** Few, so that neither the provider nor the database is flooded on a busy unlock day. */
const AT_ONCE = 5;
/** Notices in batches, so that the database is left to the people. */
const A_SECOND = 200;
/**
 * Far longer than the time limits of the drivers, so that an email in progress is never sent
 * twice.
 */
const LEASE_MS = 600_000;
/** If the provider asks for a longer pause than this, the rest waits for a later pass. */
const PAUSE_MAX_MS = 10_000;
/** As many postponed notices go in one email. */
const TOGETHER_MAX = 1_000;

type SendDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits' | 'log' | 'mailer'>;

/** What is sent as one email: one row, or notices of one kind that were postponed for one person. */
type Letter = [MailRow, ...MailRow[]];

/**
 * Sends due emails, a few at a time, and notices in batches where the provider takes batches. If
 * all of an attempt fails, the provider is unreachable, and the rest waits for the next pass. If
 * nobody knows whether an email has arrived, it goes again under the same idempotency key as long as
 * the provider knows that, and otherwise once more.
 */
export async function sendDueMail(deps: SendDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const { outcomes, batched } = await sendSome(deps);
    if (outcomes.length === 0) return;
    if (outcomes.every(({ provider }) => provider === 'away')) return;
    const asked = Math.max(0, ...outcomes.map((o) => (o.provider === 'busy' ? o.forMs : 0)));
    if (asked > PAUSE_MAX_MS) return;
    const spent = performance.now() - startedAt;
    await pause(Math.max(asked, (batched / A_SECOND) * 1_000 - spent), signal);
  }
}

async function sendSome(deps: SendDeps): Promise<{ outcomes: Outcome[]; batched: number }> {
  const { db, ids, mailer } = deps;
  const { sendAll } = mailer;
  if (!sendAll) return sendSingly(deps, await claimDueMails(db, lease(deps, AT_ONCE)));
  const urgent = await claimUrgentMails(db, lease(deps, AT_ONCE));
  if (urgent.length > 0) return sendSingly(deps, urgent);
  const batch = await claimBatch(db, { ...lease(deps, BATCH_MAX), newId: ids.uuid() });
  if (batch.rows.length === 0) {
    // Many emails, each to somebody who has had others: they must not hold up the batches.
    return sendSingly(deps, await claimPostponedMails(db, lease(deps, AT_ONCE)));
  }
  const outcome = await sendBatch({ ...deps, mailer: { ...mailer, sendAll } }, batch);
  return { outcomes: [outcome], batched: batch.rows.length };
}

async function sendSingly(deps: SendDeps, rows: MailRow[]) {
  const letters = lettersOf(await readyMails(deps, rows));
  const outcomes = await allOf(letters.map((letter) => attempt(deps, letter)));
  // If all were given up, others may be due.
  if (rows.length > 0 && letters.length === 0) outcomes.push({ provider: 'answers' });
  return { outcomes, batched: 0 };
}

function lease({ clock }: SendDeps, limit: number) {
  return { now: clock.now(), leaseMs: LEASE_MS, limit };
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

async function attempt(deps: SendDeps, letter: Letter): Promise<Outcome> {
  const [row] = letter;
  let providerId: ProviderId;
  try {
    const waitMs = await countNotice(deps, row);
    if (waitMs > 0) {
      await markPostponed(deps.db, letter, inFuture(deps, waitMs));
      return { provider: 'answers' };
    }
    const mail = await render(deps, letter);
    if (!mail) {
      await uncountNotice(deps, row);
      await markDropped(deps.db, letter);
      return { provider: 'answers' };
    }
    if (mail.textVaries && (await giveUpSpent(deps, letter))) {
      await uncountNotice(deps, row);
      return { provider: 'answers' };
    }
    providerId = await deps.mailer.send(mail, () => noteAttempt(deps, letter, mail));
  } catch (error) {
    await uncountNotice(deps, row);
    return settleFailure(deps, letter, error);
  }
  await removeIfAccountIsGone(deps, row);
  await markSent(
    deps.db,
    letter.map(({ id }) => ({ id, providerId })),
    deps.clock.now(),
  );
  deps.log.info(named(letter), 'Sent an email.');
  return { provider: 'answers' };
}

/** Adds to a postponed letter what else waits for the same person. */
async function render(deps: SendDeps, letter: Letter) {
  const [row] = letter;
  if (!row.postponed) return renderMail(deps, row);
  const others = await claimPostponed(deps.db, row, lease(deps, TOGETHER_MAX));
  letter.push(...(await readyMails(deps, others)));
  return letter.length === 1 ? renderMail(deps, row) : renderTogether(deps, letter);
}

/** An account deleted while its email was being sent, and the row with it, has looked for stored copies too early. */
async function removeIfAccountIsGone({ db, mailer }: SendDeps, row: MailRow) {
  if (!mailer.removeTo) return;
  if (!(await isForSomebody(db, row))) await mailer.removeTo(row.toAddress);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
