import { AppError } from '../../app-error.ts';
import { equal } from '../../auth/equal.ts';
import { linkSigner } from '../../auth/link-signer.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { deleteIdentity, findIdentityById } from '../../db/doors/identities.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { undoableUntil } from './undo-passkey.ts';

/** The token of the link in the email about a linked identity. It needs no row, and serves this one alone. */
export async function undoIdentityToken(
  deps: Pick<Deps, 'db' | 'ids'>,
  identityId: string,
): Promise<string> {
  const sign = await linkSigner(deps);
  return `${identityId}.${sign(`undo identity ${identityId}`)}`;
}

/**
 * Unlinks an identity that was linked lately, for whoever reads the owner's emails. Every session ends:
 * whoever linked it knew the password, and may be signed in. @throws INVALID_ADDRESS_LINK
 */
export async function undoIdentity(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'sessions'>,
  token: string,
): Promise<{ userId: string }> {
  const [id = ''] = token.split('.');
  const isOurs = isUuid(id) && equal(token, await undoIdentityToken(deps, id));
  const identity = isOurs ? await findIdentityById(deps.db, id) : undefined;
  if (!identity || undoableUntil(identity) <= deps.clock.now()) throw invalid();
  const { userId } = identity;
  await deps.db.transaction(async (tx) => {
    // A sign-in by it that has just begun is waited for, and its session ends as well.
    await lockUser(tx, userId);
    if (!(await deleteIdentity(tx, id))) throw invalid();
    await deps.sessions.endAll(userId, tx);
  });
  return { userId };
}

const invalid = () => new AppError('INVALID_ADDRESS_LINK');
