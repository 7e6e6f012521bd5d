import { invite } from '../../shared/api/invitations.ts';
import { type Recipient, searchRecipient } from '../../shared/api/user.ts';
import { SEARCH_QUERY_MAX } from '../../shared/limits.ts';
import { isBlank } from '../../shared/visible-text.ts';
import { type CallOptions, call } from '../api/client.ts';
import { CallError } from '../api/errors.ts';
import { rememberPeople } from '../db/people.ts';
import type { ChosenRecipient, OutboxRow } from '../db/tables.ts';
import type { InvitationLink } from './locks.ts';

type Context = Pick<CallOptions<typeof searchRecipient>, 'xsrf' | 'signal'>;

export interface Invited {
  /** Those who turned out to have an account are named as it names them. */
  recipients: ChosenRecipient[];
  invitations: InvitationLink[];
}

/** A repeat sends no second email, so it need not be known whether an earlier try came as far. */
export async function inviteRecipients({ fields }: OutboxRow, context: Context): Promise<Invited> {
  const recipients: ChosenRecipient[] = [];
  const invitations: InvitationLink[] = [];
  for (const person of fields.recipients) {
    const { name, email, toInvite, givenName = '' } = person;
    // An address that was entered offline may have an account.
    const account = toInvite && (await findAccount(email, context));
    recipients.push(account || person);
    // Offline they are found as who they are from here on. Nothing is lost on a full device.
    if (account) await rememberPeople([account]).catch(() => undefined);
    if (!toInvite || account) continue;
    const { link } = await call(invite, {
      body: { email, ...(isBlank(givenName) ? {} : { name: givenName }) },
      ...context,
    });
    if (link !== null) invitations.push({ name, email, link });
  }
  return { recipients, invitations };
}

async function findAccount(address: string, context: Context): Promise<Recipient | undefined> {
  const query = address.slice(0, SEARCH_QUERY_MAX);
  const people = await call(searchRecipient, { query: { query }, ...context });
  return people.find(({ email, isInvited }) => email === address && !isInvited);
}

/** The server does not say whether somebody may be invited, but refuses the capsule. */
export function asUninvited({ fields }: OutboxRow, error: unknown): CallError | null {
  if (!(error instanceof CallError) || error.code !== 'RECIPIENT_NOT_REGISTERED') return null;
  // The addresses of its sentence. A part of one may be somebody else's.
  const named = error.message.split(/[\s,]+/).map((word) => word.replace(/\.$/, ''));
  const refused = fields.recipients.filter(
    ({ email, toInvite }) => toInvite && named.includes(email),
  );
  if (refused.length === 0) return null;
  const addresses = refused.map(({ email }) => email).join(', ');
  const message = `We can't invite ${addresses}, perhaps because they asked us not to. Please choose somebody else.`;
  const { code, status, fromServer } = error;
  return new CallError({ code, status, fromServer, message, errors: { recipientEmails: message } });
}
