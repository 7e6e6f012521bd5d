import { DAY_MS, UNDO_DAYS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { readSignedId } from '../../auth/link-signer.ts';
import { later } from '../../clock/clock.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { deleteIdentity, findIdentityById } from '../../db/doors/identities.ts';
import { deletePasskey, findPasskey } from '../../db/doors/passkeys.ts';
import type { Deps } from '../../deps.ts';

/** Until when the link in the email about a new passkey or a linked identity takes it away. */
export function undoableUntil({ createdAt }: { createdAt: Date }): Date {
  return later(createdAt, UNDO_DAYS * DAY_MS);
}

const KEYS = {
  passkey: { find: findPasskey, remove: deletePasskey },
  identity: { find: findIdentityById, remove: deleteIdentity },
};

/**
 * Removes a passkey or an identity that was added lately, for whoever reads the owner's emails. Every
 * session ends: whoever added it knew the password, and may be signed in. @throws INVALID_ADDRESS_LINK
 */
export async function undoKey(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'sessions'>,
  kind: keyof typeof KEYS,
  token: string,
): Promise<{ userId: string }> {
  const { find, remove } = KEYS[kind];
  const id = await readSignedId(deps, `undo ${kind}`, token);
  const key = id ? await find(deps.db, id) : undefined;
  if (!key || undoableUntil(key) <= deps.clock.now()) throw new AppError('INVALID_ADDRESS_LINK');
  const { userId } = key;
  await deps.db.transaction(async (tx) => {
    // A sign-in with it that has just begun is waited for, and its session ends as well.
    await lockUser(tx, userId);
    if (!(await remove(tx, key))) throw new AppError('INVALID_ADDRESS_LINK');
    await deps.sessions.endAll(userId, tx);
  });
  return { userId };
}
