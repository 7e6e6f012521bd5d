import type { Addressee } from '../../db/email-content/mail-subjects.ts';
import type { Sending } from '../../db/emails/sendings.ts';

/** Where an email goes that is about to be sent. */
export function addressOf(
  { email: { kind, toAddress }, slot }: Pick<Sending, 'email' | 'slot'>,
  person: Addressee | undefined,
): string | null {
  if (!slot || !person) return toAddress;
  const { email, secondEmail, emailBouncedAt } = person;
  // A reminder is for who has not read what went to the main address.
  const isInVain = emailBouncedAt !== null || kind === 'capsule-reminder';
  return secondEmail && (slot === 'second' || isInVain) ? secondEmail : email;
}
