import {
  DAY_MS,
  INVITATION_LINK_DAYS,
  RESET_LINK_MINUTES,
  VERIFICATION_LINK_HOURS,
} from '../../../shared/limits.ts';
import { hashToken } from '../../auth/token-hash.ts';
import { insertAddressLink, type NewAddressLink } from '../../db/accounts/addresses.ts';
import { insertInvitationLinks } from '../../db/accounts/invitations.ts';
import {
  findEmailVerificationUser,
  findPasswordResetUser,
  putEmailVerification,
  putPasswordReset,
  takePasswordReset,
  type UsedReset,
} from '../../db/accounts/link-tokens.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;

type TokenDeps = Pick<Deps, 'clock' | 'ids'>;

/**
 * Makes the token of a reset link. Only its hash is stored. Older links that the same client asked
 * for end. Others keep working, so that a stranger who asks takes no link from the owner. Called
 * when the email is sent, so that the five minutes of the link don't pass in the queue.
 */
export async function issuePasswordReset(
  tx: Queryable,
  deps: TokenDeps,
  {
    userId,
    requestedBy,
    sentTo = null,
  }: { userId: string; requestedBy: string; sentTo?: string | null },
): Promise<string> {
  const token = deps.ids.token();
  const expiresAt = later(deps, RESET_LINK_MINUTES * MS_PER_MINUTE);
  const tokenHash = hashToken(token);
  await putPasswordReset(tx, { userId, requestedBy, sentTo, tokenHash, expiresAt });
  return token;
}

/**
 * The person whose password a reset link sets. Does not use the link. Null if it is unknown, used,
 * replaced or expired, or if another link of this person was used.
 */
export function findPasswordReset(
  db: Queryable,
  deps: Pick<Deps, 'clock'>,
  token: string,
): Promise<string | null> {
  return findPasswordResetUser(db, hashToken(token), deps.clock.now());
}

/**
 * Uses a reset link, and ends the person's other ones. Only one of several callers at once gets it.
 */
export function consumePasswordReset(
  tx: Queryable,
  deps: Pick<Deps, 'clock'>,
  token: string,
): Promise<UsedReset | null> {
  return takePasswordReset(tx, hashToken(token), deps.clock.now());
}

/** Makes the token of a verification link and replaces the person's older one. */
export async function issueEmailVerification(
  tx: Queryable,
  deps: TokenDeps,
  userId: string,
): Promise<string> {
  const token = deps.ids.token();
  const expiresAt = later(deps, VERIFICATION_LINK_HOURS * MS_PER_HOUR);
  await putEmailVerification(tx, { userId, tokenHash: hashToken(token), expiresAt });
  return token;
}

/**
 * The person whose address a link confirms. Null if it is unknown, replaced or expired. A link can be
 * used until it expires, because email scanners open links before people do.
 */
export function findEmailVerification(
  db: Queryable,
  deps: Pick<Deps, 'clock'>,
  token: string,
): Promise<string | null> {
  return findEmailVerificationUser(db, hashToken(token), deps.clock.now());
}

/** Makes the token of a link about addresses or a new password. */
export async function issueAddressLink(
  tx: Queryable,
  { ids }: Pick<Deps, 'ids'>,
  row: Omit<NewAddressLink, 'tokenHash'>,
): Promise<string> {
  const token = ids.token();
  await insertAddressLink(tx, { ...row, tokenHash: hashToken(token) });
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
  const expiresAt = later(deps, INVITATION_LINK_DAYS * DAY_MS);
  const issued = links.map((link) => ({ ...link, token: deps.ids.token() }));
  const rows = issued.map(({ token, userId, invitationId, isEmailed }) => {
    return { tokenHash: hashToken(token), userId, invitationId, isEmailed, expiresAt };
  });
  await insertInvitationLinks(tx, rows);
  return issued;
}

interface NewInvitationLink {
  userId: string;
  invitationId: string | null;
  isEmailed: boolean;
}

function later({ clock }: TokenDeps, ms: number): Date {
  return new Date(clock.now().getTime() + ms);
}
