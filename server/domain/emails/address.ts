import { type Addressee, findAddressees } from '../../db/email-content/mail-subjects.ts';
import type { Sending } from '../../db/emails/sendings.ts';
import type { Deps } from '../../deps.ts';

/**
 * Sets where emails go that are about to be sent. The caller leaves out those that must go to the
 * same address again.
 */
export async function setAddresses(
  { db }: Pick<Deps, 'db'>,
  rows: Pick<Sending, 'email' | 'slot' | 'address'>[],
): Promise<void> {
  const ids = rows.flatMap(({ email, slot }) => (slot && email.userId) || []);
  const addressees = await findAddressees(db, ids);
  const people = new Map(addressees.map((person) => [person.id, person]));
  for (const row of rows) {
    const person = row.slot && people.get(row.email.userId ?? '');
    row.address = person ? addressOf(row, person) : row.email.toAddress;
  }
}

function addressOf(
  { email: { kind }, slot }: Pick<Sending, 'email' | 'slot'>,
  { email, secondEmail, emailBouncedAt }: Addressee,
): string {
  // A reminder is for who has not read what went to the main address.
  const isInVain = emailBouncedAt !== null || kind === 'capsule-reminder';
  return secondEmail && (slot === 'second' || isInVain) ? secondEmail : email;
}
