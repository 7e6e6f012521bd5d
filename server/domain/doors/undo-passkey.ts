import { DAY_MS, UNDO_DAYS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { readSignedId } from '../../auth/link-signer.ts';
import { later } from '../../clock/clock.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { deletePasskey, findPasskey } from '../../db/doors/passkeys.ts';
import type { Deps } from '../../deps.ts';

/** Until when the link in the email about a new passkey or a linked identity takes it away. */
export function undoableUntil({ createdAt }: { createdAt: Date }): Date {
  return later(createdAt, UNDO_DAYS * DAY_MS);
}

/**
 * Removes a passkey that was added lately, for whoever reads the owner's emails. Every session ends:
 * whoever added it knew the password, and may be signed in. @throws INVALID_ADDRESS_LINK
 */
export async function undoPasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'sessions'>,
  token: string,
): Promise<{ userId: string }> {
  const id = await readSignedId(deps, 'undo passkey', token);
  const passkey = id ? await findPasskey(deps.db, id) : undefined;
  if (!id || !passkey || undoableUntil(passkey) <= deps.clock.now()) throw invalid();
  const { userId } = passkey;
  await deps.db.transaction(async (tx) => {
    // A sign-in with the passkey that has just begun is waited for, and its session ends as well.
    await lockUser(tx, userId);
    if (!(await deletePasskey(tx, { id, userId }))) throw invalid();
    await deps.sessions.endAll(userId, tx);
  });
  return { userId };
}

const invalid = () => new AppError('INVALID_ADDRESS_LINK');
