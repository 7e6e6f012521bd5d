import { AppError } from '../../app-error.ts';
import { readSignedId } from '../../auth/link-signer.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { deleteIdentity, findIdentityById } from '../../db/doors/identities.ts';
import type { Deps } from '../../deps.ts';
import { undoableUntil } from './undo-passkey.ts';

/**
 * Unlinks an identity that was linked lately, for whoever reads the owner's emails. Every session ends:
 * whoever linked it knew the password, and may be signed in. @throws INVALID_ADDRESS_LINK
 */
export async function undoIdentity(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'sessions'>,
  token: string,
): Promise<{ userId: string }> {
  const id = await readSignedId(deps, 'undo identity', token);
  const identity = id ? await findIdentityById(deps.db, id) : undefined;
  if (!id || !identity || undoableUntil(identity) <= deps.clock.now()) throw invalid();
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
