import { TURN_OFF_PATH, type TurnOffKind } from '../../../shared/api/notices.ts';
import type { Addressee } from '../../db/email-content/mail-subjects.ts';
import { TURN_OFF_KINDS } from '../../db/emails/notice-choices.ts';
import type { Email, Sending } from '../../db/emails/sendings.ts';
import type { Deps } from '../../deps.ts';
import { EMAIL_KINDS } from '../../mail/kinds.ts';
import type { RenderedMail } from '../../mail/templates/letter.ts';
import { issueInvitationLinks } from '../accounts/link-tokens.ts';
import { noticeLinkTokens } from '../emails/notice-choices.ts';

/** What the content of emails is made from. */
export type ContentDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits'>;

/** An email that is about to go out, with the address where it goes. */
export type Outgoing = Email & Pick<Sending, 'slot'> & { toAddress: string };

/**
 * What an email says. Null: there is nobody or nothing to tell any more. `withheld`: its reader has
 * blocked who causes it, and who must not notice.
 */
export type Content = RenderedMail | 'withheld' | null;

/** Who is told: somebody with an account, or an invited person with the token of a new link. */
export interface Reader {
  token?: string;
  /** Where they turn such notices off; for somebody with an account. */
  turnOffUrl?: string;
}

/**
 * The readers of these emails, by the email's id. An invited person is told what has opened, and
 * that they are invited. Who is neither gets nothing: somebody may have registered with the address
 * of a stranger, who then gets the verification email only. Nor does who has turned such notices
 * off. @param people those they are for, by their ids
 */
export async function readersOf(
  deps: ContentDeps,
  rows: Outgoing[],
  people: Map<string, Addressee>,
): Promise<Map<string, Reader>> {
  const personOf = ({ userId }: Outgoing) => people.get(userId ?? '');
  const readers = new Map<string, Reader>();
  const tokenFor = await noticeLinkTokens(deps);
  for (const row of rows) {
    const person = personOf(row);
    if (person?.standing !== 'account') continue;
    const notice = TURN_OFF_KINDS.find((one) => one === row.kind);
    if (!notice) readers.set(row.id, {});
    else if (wants(person, notice)) {
      const turnOffUrl = link(deps, TURN_OFF_PATH, { token: tokenFor(person.id, notice) });
      readers.set(row.id, { turnOffUrl });
    }
  }
  const invited = rows.filter(
    (row) => personOf(row)?.standing === 'invited' && EMAIL_KINDS[row.kind].mayGoToInvited,
  );
  const links = invited.map(({ id, kind, userId, aboutId, toAddress }) => ({
    id,
    userId: userId ?? '',
    invitationId: kind === 'invitation' ? aboutId : null,
    sentTo: toAddress,
  }));
  for (const { id, token } of await issueInvitationLinks(deps.db, deps, links)) {
    readers.set(id, { token });
  }
  return readers;
}

/** The reader of one email. Undefined if that gets nothing. */
export async function readerOf(deps: ContentDeps, email: Outgoing, person: Addressee) {
  const theirs = { ...email, userId: person.id };
  return (await readersOf(deps, [theirs], new Map([[person.id, person]]))).get(email.id);
}

/** Who does not want to hear of openings is not reminded of them either. */
function wants({ unwanted }: Addressee, kind: TurnOffKind): boolean {
  if (kind === 'capsule-reminder' && unwanted.includes('capsule-opened')) return false;
  return !unwanted.includes(kind);
}

/** An invited person's links have one token: who holds it may make the account or refuse. */
export function linksFor(
  deps: Pick<Deps, 'config'>,
  { token, ...turnOff }: Reader,
  query: Record<string, string>,
): { url: string; refuseUrl?: string; turnOffUrl?: string } {
  if (token === undefined) return { url: link(deps, '/dashboard', query), ...turnOff };
  const refuseUrl = secretLink(deps, '/auth/refuse-invitation', { token });
  return { url: invitationUrl(deps, token, query), refuseUrl };
}

/** The page on which an invited person makes their account. */
export function invitationUrl(
  deps: Pick<Deps, 'config'>,
  token: string,
  query: Record<string, string> = {},
): string {
  return secretLink(deps, '/auth', { invitation: token }, { register: 'true', ...query });
}

/**
 * A link with a secret, which stands behind the `#`: browsers send that to no server, so that it is in
 * no log of a proxy. The page sends it in a body. A reset link is as it is specified, and lives for
 * five minutes.
 */
export function secretLink(
  deps: Pick<Deps, 'config'>,
  path: string,
  secret: Record<string, string>,
  query: Record<string, string> = {},
): string {
  return `${link(deps, path, query)}#${new URLSearchParams(secret)}`;
}

/** Links use the configured origin only, never a header of a request. */
export function link(
  { config }: Pick<Deps, 'config'>,
  path: string,
  query: Record<string, string> = {},
) {
  const search = new URLSearchParams(query).toString();
  return `${config.appUrl}${path}${search && `?${search}`}`;
}
