import { setTimeout as delay } from 'node:timers/promises';
import { type EmailPerson, findEmailPeople } from '../db/email-content/subjects.ts';
import { deleteEmail } from '../db/emails/emails.ts';
import { beginAttempt, markEnded, markSent } from '../db/emails/outcomes.ts';
import { claimBatch, claimDue, claimUrgent, type Sending } from '../db/emails/sendings.ts';
import type { Deps } from '../deps.ts';
import type { Content, Outgoing } from '../domain/email-content/links.ts';
import { prepareEmails } from '../domain/email-content/render.ts';
import { mayHaveArrived, PutOffError } from '../domain/emails/next-attempt.ts';
import { allOf } from '../limiter.ts';
import { EMAIL_KINDS } from '../mail/kinds.ts';
import type { Mail, ProviderId } from '../mail/mailer.ts';
import { readyToSend } from './ready.ts';
import { asLogged, settleAlone, settleFailure } from './settle.ts';
import { type Call, settleWithheld } from './settle-withheld.ts';

/** Few, so that neither the provider nor the database is flooded on a busy unlock day. */
const AT_ONCE = 5;
/** Emails in batches, so that the database is left to the people. */
const A_SECOND = 200;
/**
 * Far longer than the time limits of the drivers, so that an email in progress is never sent
 * twice.
 */
const LEASE_MS = 600_000;
/** If the provider asks for a longer pause than this, the rest waits for a later pass. */
const PAUSE_MAX_MS = 10_000;

type SendDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits' | 'log' | 'mailer'>;

/**
 * Sends what is due, a few calls at a time, each with one email or with as many as the provider takes
 * by one. If none of these calls gets through, the provider is unreachable, and the rest waits for the
 * next pass. If nobody knows whether an email has arrived, it goes again under the same key as long as the
 * provider knows that, and otherwise once more.
 */
export async function sendDueEmails(deps: SendDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const calls = await claimCalls(deps);
    if (calls.length === 0) return;
    const made = await allOf(calls.map((call) => makeCall(deps, call)));
    await settleWithheld(deps, made);
    const states = made.map(({ state }) => state ?? ANSWERS);
    if (states.every(({ provider }) => provider === 'away')) return;
    const asked = Math.max(0, ...states.map((s) => (s.provider === 'busy' ? s.forMs : 0)));
    if (asked > PAUSE_MAX_MS) return;
    const batched = Math.max(...calls.map((call) => call.length));
    const spent = performance.now() - startedAt;
    const untilNext = batched > 1 ? (batched / A_SECOND) * 1_000 - spent : 0;
    await pause(Math.max(asked, untilNext), signal);
  }
}

/** What somebody waits for goes in calls of its own. */
async function claimCalls({ db, clock, ids, mailer }: SendDeps): Promise<Sending[][]> {
  const lease = { now: clock.now(), leaseMs: LEASE_MS };
  const few = { ...lease, limit: AT_ONCE };
  if (mailer.batchMax === 1) return singly(await claimDue(db, few));
  const urgent = await claimUrgent(db, few);
  if (urgent.length > 0) return singly(urgent);
  const batch = await claimBatch(db, { ...lease, limit: mailer.batchMax, newId: ids.uuid() });
  return batch.length > 0 ? [batch] : [];
}

const singly = (sendings: Sending[]) => sendings.map((sending) => [sending]);

/** An email, and how it goes out this time. */
interface Rendered {
  sending: Sending;
  mail: Mail;
}

const ANSWERS = { provider: 'answers' } as const;

/** One call of the provider, which takes all of these emails or none. */
async function makeCall(deps: SendDeps, claimed: Sending[]): Promise<Call> {
  const ids = claimed.flatMap(({ email }) => email.userId ?? []);
  const people = await findEmailPeople(deps.db, ids);
  const ready = await readyToSend(deps, claimed, people);
  const { rendered, withheld } = await renderAll(deps, ready, people);
  const sendings = rendered.map(({ sending }) => sending);
  const [first] = sendings;
  if (!first) return { state: null, withheld };
  let providerIds: ProviderId[];
  try {
    providerIds = await deps.mailer.send(
      rendered.map(({ mail }) => mail),
      { key: keyOf(first), begin: () => begin(deps, sendings) },
    );
  } catch (error) {
    return { state: await settleFailure(deps, sendings, error), withheld };
  }
  await noteSent(deps, sendings, providerIds);
  return { state: ANSWERS, withheld };
}

/** If one of them is gone, the others are tried again at once. */
async function begin({ db, clock }: SendDeps, sendings: Sending[]): Promise<void> {
  const isBegun = await beginAttempt(db, sendings, clock.now());
  if (!isBegun) throw new PutOffError(clock.now());
}

/**
 * The key by which the provider knows the call, so that a lost answer does not send an email twice.
 * New for each attempt of a text with a new token, because the provider would repeat the first text
 * with its dead link.
 */
function keyOf({ id, batchId, attempts, isSecondTry, cause, email: { kind } }: Sending): string {
  if (batchId) return batchId;
  if (EMAIL_KINDS[kind].textVaries) return `${id}-${attempts}`;
  // A second try of before 1.0.0 has a row of its own, whose id the provider may know.
  return isSecondTry && cause !== 'unanswered' ? `${id}-again` : id;
}

/** What becomes of those that can't be rendered is noted. A batch goes on without them. */
async function renderAll(
  deps: SendDeps,
  sendings: Sending[],
  people: Map<string, EmailPerson>,
): Promise<{ rendered: Rendered[]; withheld: Sending[] }> {
  const rendered: Rendered[] = [];
  const withheld: Sending[] = [];
  const ended = { dropped: [] as Sending[], unknown: [] as Sending[] };
  const render = await prepare(deps, sendings, people);
  for (const sending of sendings) {
    try {
      const content = await render(sending);
      // What may have arrived at an earlier attempt isn't dropped.
      if (content === null) ended[mayHaveArrived(sending) ? 'unknown' : 'dropped'].push(sending);
      else if (content === 'withheld') withheld.push(sending);
      else rendered.push({ sending, mail: { ...headOf(sending), ...content } });
    } catch (error) {
      await settleAlone(deps, sending, error);
    }
  }
  const at = deps.clock.now();
  for (const outcome of ['dropped', 'unknown'] as const) {
    if (ended[outcome].length > 0) await markEnded(deps.db, ended[outcome], { outcome, at });
  }
  return { rendered, withheld };
}

/** What several emails share is read once. If that fails, because of one of them, each is read alone. */
async function prepare(
  deps: SendDeps,
  sendings: Sending[],
  people: Map<string, EmailPerson>,
): Promise<(sending: Sending) => Promise<Content>> {
  try {
    const render = await prepareEmails(deps, sendings.map(outgoing), people);
    return (sending) => render(outgoing(sending));
  } catch {
    return async (sending) => {
      const alone = outgoing(sending);
      return (await prepareEmails(deps, [alone], people))(alone);
    };
  }
}

const outgoing = ({ email, slot, address }: Sending): Outgoing => ({
  ...email,
  slot,
  address: address ?? '',
});

const headOf = ({ id, address, email: { kind, createdAt } }: Sending) => ({
  id,
  kind,
  queuedAt: createdAt,
  to: address ?? '',
});

async function noteSent(
  { config, db, clock, log }: SendDeps,
  sendings: Sending[],
  providerIds: ProviderId[],
): Promise<void> {
  const sent = sendings.map(({ id }, index) => ({ id, providerId: providerIds[index] ?? null }));
  await markSent(db, sent, clock.now());
  // One that is saved as a file has a line of its own.
  if (config.mail.provider !== 'folder') log.info(asLogged(sendings), 'Sent emails.');
  for (const { email } of sendings) {
    // Nothing stays of a deleted account once its last email is sent.
    if (email.kind === 'account-deleted') await deleteEmail(db, email.id);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
