import { TURN_OFF_PATH, type TurnOffKind } from '../../../shared/api/email-choices.ts';
import { type EmailPerson, findTimeZone } from '../../db/email-content/subjects.ts';
import { TURN_OFF_KINDS } from '../../db/emails/email-choices.ts';
import type { Email, Sending } from '../../db/emails/sendings.ts';
import type { Deps } from '../../deps.ts';
import { EMAIL_KINDS } from '../../mail/kinds.ts';
import type { RenderedEmail, ToPerson } from '../../mail/templates/layout.ts';
import { issueInvitationLinks } from '../accounts/link-tokens.ts';
import { mayRegister, whomToAsk } from '../accounts/registration.ts';
import { turnOffTokens } from '../emails/email-choices.ts';

/** What the content of emails is made from. */
export type ContentDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits'>;

/** An email that is about to go out, with the address where it goes. */
export type Outgoing = Omit<Email, 'toAddress'> & Pick<Sending, 'slot'> & { address: string };

/**
 * What an email says. Null: there is nobody or nothing to tell any more. `withheld`: its reader has
 * blocked who causes it, and who must not notice. Where it can't say it yet, it is not rendered, but
 * `PutOffError` is thrown.
 */
export type Content = RenderedEmail | 'withheld' | null;

/** What an email to somebody begins with. @param url where its button leads */
export async function toPerson(
  { db }: Pick<Deps, 'db'>,
  { id, name }: Pick<EmailPerson, 'id' | 'name'>,
  url: string,
): Promise<ToPerson> {
  return { name, zone: await findTimeZone(db, id), url };
}

/** The links of an email that are its reader's own. */
export interface OwnLinks {
  /** Of an invited person: the token with which they make their account or refuse. */
  token?: string;
  /** What they read instead where they can't make one. */
  whomToAsk?: string;
  /** Of somebody with an account: where they turn such emails off. */
  turnOffUrl?: string;
}

/**
 * Makes the own links of emails, by the ids of the emails. Whoever gets none is not told: somebody who
 * has turned such emails off; an invited person, but of what has opened and that they are invited; and
 * somebody who is neither, whose address may be a stranger's. @param people those they are for, by
 * their ids
 */
export async function makeOwnLinks(
  deps: ContentDeps,
  emails: Outgoing[],
  people: Map<string, EmailPerson>,
): Promise<Map<string, OwnLinks>> {
  const personOf = ({ userId }: Outgoing) => people.get(userId ?? '');
  const made = new Map<string, OwnLinks>();
  const tokenFor = await turnOffTokens(deps);
  for (const email of emails) {
    const person = personOf(email);
    if (person?.standing !== 'account') continue;
    const kind = TURN_OFF_KINDS.find((one) => one === email.kind);
    if (!kind) made.set(email.id, {});
    else if (wants(person, kind)) {
      const turnOffUrl = link(deps, TURN_OFF_PATH, { token: tokenFor(person.id, kind) });
      made.set(email.id, { turnOffUrl });
    }
  }
  const invited = emails.filter(
    (email) => personOf(email)?.standing === 'invited' && EMAIL_KINDS[email.kind].mayGoToInvited,
  );
  const links = invited.map(({ id, kind, userId, aboutId, address }) => ({
    id,
    userId: userId ?? '',
    invitationId: kind === 'invitation' ? aboutId : null,
    sentTo: address,
  }));
  for (const { id, userId, token } of await issueInvitationLinks(deps.db, deps, links)) {
    const isLetIn = await mayRegister(deps.db, deps, userId);
    made.set(id, { token, ...(!isLetIn && { whomToAsk: whomToAsk(deps) }) });
  }
  return made;
}

/** Makes an invited person's links in one email. Undefined for anybody else. */
export async function invitationLinks(deps: ContentDeps, email: Outgoing, person: EmailPerson) {
  const theirs = { ...email, userId: person.id };
  const links = await makeOwnLinks(deps, [theirs], new Map([[person.id, person]]));
  const own = links.get(email.id);
  return own?.token === undefined ? undefined : urlsOf(deps, own);
}

/** Who does not want to hear of openings is not reminded of them either. */
function wants({ unwanted }: EmailPerson, kind: TurnOffKind): boolean {
  if (kind === 'capsule-reminder' && unwanted.includes('capsule-opened')) return false;
  return !unwanted.includes(kind);
}

/** Where the buttons of an email lead. @param query for the page that its main one leads to */
export function urlsOf(
  deps: Pick<Deps, 'config'>,
  { token, ...others }: OwnLinks,
  query: Record<string, string> = {},
): { url: string; refuseUrl?: string; whomToAsk?: string; turnOffUrl?: string } {
  if (token === undefined) return { url: link(deps, '/dashboard', query), ...others };
  const refuseUrl = secretLink(deps, '/auth/refuse-invitation', { token });
  return { url: invitationUrl(deps, token, query), refuseUrl, ...others };
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
