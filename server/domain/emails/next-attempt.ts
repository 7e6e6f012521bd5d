import { MINUTE_MS } from '../../../shared/limits.ts';
import type { EmailPerson } from '../../db/email-content/subjects.ts';
import type { Sending, SendingRow } from '../../db/emails/sendings.ts';

/** Owns where an attempt to send an email goes, and when the next one is made. */

/** Where an email goes that is about to be sent. */
export function addressOf(
  { email: { kind, toAddress }, slot }: Pick<Sending, 'email' | 'slot'>,
  person: EmailPerson | undefined,
): string | null {
  if (!slot || !person) return toAddress;
  const { email, secondEmail, emailBouncedAt } = person;
  // A reminder is for who has not read what went to the main address.
  const isInVain = emailBouncedAt !== null || kind === 'capsule-reminder';
  return secondEmail && (slot === 'second' || isInVain) ? secondEmail : email;
}

/** Whether the provider may have it, from an attempt whose answer was lost. */
export function mayHaveArrived({ begunAt, isSecondTry }: SendingRow): boolean {
  return begunAt !== null || isSecondTry;
}

const LONGEST_MS = 12 * 60 * MINUTE_MS;

/** With the delays below, the last attempt is a little over thirty days after the first. */
export const ATTEMPTS_MAX = 70;

/** The delay after an attempt, counted from 1: 1, 2, 4 … minutes, at most 12 hours. */
export function retryDelay(attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** (attempts - 1), LONGEST_MS);
}

/**
 * An email is not sent now, and nothing is wrong with it: the day of its capsule has not come, its
 * creator is suspended, only a newer version knows its kind, or another one of its batch is gone.
 */
export class PutOffError extends Error {
  /** When it is due again. */
  readonly until: Date;

  constructor(until: Date) {
    super('This email is put off.');
    this.until = until;
  }
}
