import { later } from '../clock/clock.ts';
import type { EmailPerson } from '../db/email-content/subjects.ts';
import type { Sending } from '../db/emails/sendings.ts';
import type { Deps } from '../deps.ts';
import { ATTEMPTS_MAX, addressOf, PutOffError } from '../domain/emails/next-attempt.ts';
import { EMAIL_KINDS } from '../mail/kinds.ts';
import type { Mailer } from '../mail/mailer.ts';
import { giveUp, type SettleDeps, settleAlone, settleUnanswered } from './settle.ts';

/** So long a newer version has to send what only it knows. */
const NEWER_WAITS_MS = 60_000;

/**
 * Makes claimed sendings ready for an attempt: sets where they go, and ends those that are not to be
 * tried again. @param people those they are for, by their ids @returns the others
 */
export async function readyToSend(
  deps: SettleDeps & { mailer: Pick<Mailer, 'keyKnownMs'> },
  claimed: Sending[],
  people: Map<string, EmailPerson>,
): Promise<Sending[]> {
  const ready: Sending[] = [];
  for (const sending of claimed) {
    if (!Object.hasOwn(EMAIL_KINDS, sending.email.kind)) {
      // A newer version that runs beside this one has queued it, and sends it.
      await settleAlone(deps, sending, new PutOffError(later(deps.clock.now(), NEWER_WAITS_MS)));
    } else if (sending.attempts > ATTEMPTS_MAX) {
      // Each attempt has ended the process, as another one would.
      const reason = 'The last attempt never came to an end.';
      await giveUp(deps, [sending], { outcome: 'failed', reason });
    } else if (!sending.begunAt) {
      const address = addressOf(sending, people.get(sending.email.userId ?? ''));
      ready.push({ ...sending, address });
    } else if (isKeyKnown(deps, sending)) {
      // Goes to the same address, under the key that is known.
      ready.push(sending);
    } else await settleUnanswered(deps, sending);
  }
  return ready;
}

/**
 * Whether the provider still knows the key of an attempt that had no answer. Then another one under
 * that key, to the same address, sends nothing twice.
 */
function isKeyKnown(
  { clock, mailer }: Pick<Deps, 'clock'> & { mailer: Pick<Mailer, 'keyKnownMs'> },
  { begunAt, email: { kind } }: Sending,
): boolean {
  if (!begunAt || EMAIL_KINDS[kind].textVaries) return false;
  return clock.now().getTime() - begunAt.getTime() < (mailer.keyKnownMs ?? 0);
}
