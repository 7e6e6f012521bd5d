import { findReaches, type Reach } from '../db/mail-subjects.ts';
import type { MailKind, MailRow } from '../db/mails.ts';
import type { Deps } from '../deps.ts';

/**
 * These go to a person, wherever they are reached by now. All other kinds are about one address, and
 * go there only. So do warnings, of which each address gets its own: whoever has taken over an
 * account must not get those of others, and nobody is told twice.
 */
const FOLLOWING: readonly MailKind[] = [
  'keepsake',
  'still-sealed',
  'address-check',
  'capsule-waiting',
  'capsule-opened',
  'capsule-reminder',
];

/** Whether an email that comes back from the main address goes to the second one. */
export const hasSecondTry = ({ kind }: Pick<MailRow, 'kind'>) => FOLLOWING.includes(kind);

/**
 * Sets where emails go that are about to be sent. The caller leaves out those that must go to the
 * same address again.
 */
export async function addressMails(
  { db }: Pick<Deps, 'db'>,
  rows: Pick<MailRow, 'kind' | 'userId' | 'toAddress' | 'toSecond'>[],
): Promise<void> {
  const told = rows.filter(hasSecondTry);
  if (told.length === 0) return;
  const reaches = await findReaches(
    db,
    told.flatMap(({ userId }) => userId ?? []),
  );
  for (const row of told) {
    const reach = reaches.get(row.userId ?? '');
    if (reach) row.toAddress = addressOf(row, reach);
  }
}

function addressOf(
  { kind, toSecond }: Pick<MailRow, 'kind' | 'toSecond'>,
  { email, secondEmail, emailBouncedAt }: Reach,
): string {
  // A reminder is for who has not read what went to the main address.
  const isInVain = emailBouncedAt !== null || kind === 'capsule-reminder';
  return secondEmail && (toSecond || isInVain) ? secondEmail : email;
}
