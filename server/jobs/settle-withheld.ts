import { MINUTE_MS } from '../../shared/limits.ts';
import { later } from '../clock/clock.ts';
import { markEnded, markRetry } from '../db/emails/outcomes.ts';
import type { Sending } from '../db/emails/sendings.ts';
import type { Deps } from '../deps.ts';
import { ATTEMPTS_MAX, retryDelay } from '../domain/emails/next-attempt.ts';
import type { ProviderState } from './settle.ts';

/** What became of one call. */
export interface Call {
  /** Null: nothing was left to be handed to the provider. */
  state: ProviderState | null;
  withheld: Sending[];
}

/** So long what a call has shown stands for rounds without one. */
const KNOWN_MS = MINUTE_MS;

/** What each provider's last call has shown. */
const lastCalls = new WeakMap<Deps['mailer'], { shown: ProviderState; at: Date }>();

/**
 * Ends what a reader's block withholds, after the calls of a round: its creator sees when each email
 * went, and must not see who has blocked them. If the provider has taken none, these wait as well.
 */
export async function settleWithheld(
  { db, clock, mailer }: Pick<Deps, 'db' | 'clock' | 'mailer'>,
  calls: Call[],
): Promise<void> {
  const states = calls.flatMap(({ state }) => state ?? []);
  const answers = states.find(({ provider }) => provider === 'answers');
  const now = clock.now();
  const last = lastCalls.get(mailer);
  const known = last && now < later(last.at, KNOWN_MS) ? last.shown : undefined;
  const called = answers ?? states[0];
  if (called) lastCalls.set(mailer, { shown: called, at: now });
  const shown = called ?? known;
  const withheld = calls.flatMap((call) => call.withheld);
  if (withheld.length === 0) return;
  const isLast = ({ attempts }: Sending) => attempts >= ATTEMPTS_MAX;
  const went = shown === undefined || shown.provider === 'answers';
  const ended = went ? withheld : withheld.filter(isLast);
  if (ended.length > 0) await markEnded(db, ended, { outcome: 'withheld', at: now });
  const waiting = withheld.filter((one) => !ended.includes(one));
  if (waiting.length === 0) return;
  // Counted and delayed as those are that could not be sent.
  const isBusy = shown?.provider === 'busy';
  const attempts = Math.max(...waiting.map((one) => one.attempts));
  await markRetry(db, waiting, {
    nextAttemptAt: later(now, isBusy ? shown.forMs : retryDelay(attempts)),
    failure: isBusy ? null : { reason: 'The provider was away.', isUnknown: false },
  });
}
