import { type Addressee, findAddressees } from '../../db/email-content/mail-subjects.ts';
import type { MailRow } from '../../db/emails/mails.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { EMAIL_KINDS, kindsWith } from '../../mail/kinds.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { RenderedMail } from '../../mail/templates/letter.ts';

const UUID_LENGTH = 36;

/** The `Mail.id` of a row. To providers and mailboxes an email that is sent again is another one. */
export function mailIdOf({
  id,
  repeats,
  toSecond,
}: Pick<MailRow, 'id' | 'repeats' | 'toSecond'>): string {
  const again = repeats > 0 ? `${id}-${repeats}` : id;
  return toSecond ? `${again}-second` : again;
}

/** Whether this is the `Mail.id` of the row as it is now, or the key of one of its attempts. */
export function isOfMail(row: Pick<MailRow, 'id' | 'repeats' | 'toSecond'>, name: string): boolean {
  const id = mailIdOf(row);
  return name === id || name.replace(/-\d+$/, '') === id;
}

/** The id of the row of a `Mail.id` or a key; null if it is none of ours. */
export function rowIdOf(mailId: string): string | null {
  const rowId = mailId.slice(0, UUID_LENGTH);
  return isUuid(rowId) ? rowId : null;
}

const TO_PERSON = kindsWith({ goesTo: 'person' });

/** Whether an email that comes back from the main address goes to the second one. */
export const hasSecondTry = ({ kind }: Pick<MailRow, 'kind'>) =>
  TO_PERSON.some((one) => one === kind);

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
  const addressees = await findAddressees(
    db,
    told.flatMap(({ userId }) => userId ?? []),
  );
  const people = new Map(addressees.map((person) => [person.id, person]));
  for (const row of told) {
    const person = people.get(row.userId ?? '');
    if (person) row.toAddress = addressOf(row, person);
  }
}

function addressOf(
  { kind, toSecond }: Pick<MailRow, 'kind' | 'toSecond'>,
  { email, secondEmail, emailBouncedAt }: Addressee,
): string {
  // A reminder is for who has not read what went to the main address.
  const isInVain = emailBouncedAt !== null || kind === 'capsule-reminder';
  return secondEmail && (toSecond || isInVain) ? secondEmail : email;
}

/**
 * What is rendered for a row, as it is handed to the mailer; null stays null.
 * @param textVaries each attempt renders another text; as its kind says unless given
 */
export function addressed(
  row: MailRow,
  rendered: RenderedMail | null,
  { textVaries }: { textVaries: boolean } = EMAIL_KINDS[row.kind],
): Mail | null {
  if (!rendered) return null;
  const { kind, createdAt: queuedAt, toAddress: to } = row;
  const id = mailIdOf(row);
  const idempotencyKey = textVaries ? `${id}-${row.attempts}` : id;
  return { id, kind, queuedAt, idempotencyKey, textVaries, to, ...rendered };
}
