import {
  DAY_MS,
  HOUR_MS,
  INVITATION_LINK_DAYS,
  MINUTE_MS,
  RESET_LINK_MINUTES,
  VERIFICATION_LINK_HOURS,
} from '../../../shared/limits.ts';
import { hashToken } from '../../auth/token-hash.ts';
import { later } from '../../clock/clock.ts';
import {
  deleteLinks,
  findLink,
  insertLinks,
  type LinkPurpose,
  lockUserByLink,
  type NewLink,
  replaceLinks,
} from '../../db/accounts/link-tokens.ts';
import type { Account } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';

type TokenDeps = Pick<Deps, 'clock' | 'ids'>;

/**
 * Makes the token of a reset link. Only its hash is stored. Older links that the same client asked
 * for end. Others keep working, so that a stranger who asks takes no link from the owner. Called
 * when the email is sent, so that the five minutes of the link don't pass in the queue.
 */
export function issuePasswordReset(
  tx: Queryable,
  deps: TokenDeps,
  row: { userId: string; requestedBy: string; sentTo: string },
): Promise<string> {
  const expiresAt = later(deps.clock.now(), RESET_LINK_MINUTES * MINUTE_MS);
  return issue(deps, (token) =>
    replaceLinks(tx, { ...row, purpose: 'reset', ...token, expiresAt }),
  );
}

/**
 * The person whose password a reset link sets. Does not use the link. Null if it is unknown, used,
 * replaced or expired, if another link of this person was used, or if its address is not theirs any
 * more.
 */
export async function findPasswordReset(
  db: Queryable,
  deps: Pick<Deps, 'clock'>,
  token: string,
): Promise<string | null> {
  return (await findLink(db, usedLink(deps, 'reset', token)))?.userId ?? null;
}

/**
 * Uses a reset link, and ends the person's other ones. Locks the person first: otherwise two callers
 * with different links could wait for each other. Only one of several callers at once gets it.
 * @returns the person, and which of their addresses the link was emailed to
 */
export async function consumePasswordReset(
  tx: Queryable,
  deps: Pick<Deps, 'clock'>,
  token: string,
): Promise<{ user: Account; sentTo: string } | null> {
  const used = usedLink(deps, 'reset', token);
  const found = await lockUserByLink(tx, used);
  const gone = found ? await deleteLinks(tx, found.user.id, 'reset') : [];
  if (!found?.sentTo || !gone.includes(used.tokenHash)) return null;
  return { user: found.user, sentTo: found.sentTo };
}

/** Makes the token of a verification link and replaces the person's older one. */
export function issueEmailVerification(
  tx: Queryable,
  deps: TokenDeps,
  { id: userId, email: sentTo }: { id: string; email: string },
): Promise<string> {
  const expiresAt = later(deps.clock.now(), VERIFICATION_LINK_HOURS * HOUR_MS);
  const row = { userId, sentTo, purpose: 'verify' as const, expiresAt };
  return issue(deps, (token) => replaceLinks(tx, { ...row, ...token }));
}

/** Makes the token of a link about addresses or a new password. */
export function issueAddressLink(
  tx: Queryable,
  deps: Pick<Deps, 'ids'>,
  row: Omit<NewLink, 'tokenHash'>,
): Promise<string> {
  return issue(deps, (token) => insertLinks(tx, [{ ...row, ...token }]));
}

async function issue(
  { ids }: Pick<Deps, 'ids'>,
  store: (token: { tokenHash: string }) => Promise<void>,
): Promise<string> {
  const token = ids.token();
  await store({ tokenHash: hashToken(token) });
  return token;
}

/**
 * Makes the tokens of links with which invited people make their account or refuse. Links in
 * earlier emails keep working. @returns the same links, each with its token
 */
export async function issueInvitationLinks<Link extends NewInvitationLink>(
  tx: Queryable,
  deps: TokenDeps,
  links: Link[],
): Promise<(Link & { token: string })[]> {
  const expiresAt = later(deps.clock.now(), INVITATION_LINK_DAYS * DAY_MS);
  const issued = links.map((link) => ({ ...link, token: deps.ids.token() }));
  const rows = issued.map(({ token, userId, invitationId: subjectId, sentTo }) => {
    const link = { purpose: 'invitation' as const, tokenHash: hashToken(token), expiresAt };
    return { ...link, userId, subjectId, sentTo };
  });
  await insertLinks(tx, rows);
  return issued;
}

interface NewInvitationLink {
  userId: string;
  invitationId: string | null;
  /** Null for a link that is shown to who invites. */
  sentTo: string | null;
}

/** A link as somebody uses it now. */
export function usedLink({ clock }: Pick<Deps, 'clock'>, purpose: LinkPurpose, token: string) {
  return { tokenHash: hashToken(token), purpose, now: clock.now() };
}
