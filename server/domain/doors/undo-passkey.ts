import { DAY_MS, UNDO_DAYS } from '../../../shared/limits.ts';
import { AppError } from '../../app-error.ts';
import { equal } from '../../auth/equal.ts';
import { linkSigner } from '../../auth/link-signer.ts';
import { lockUser } from '../../db/accounts/users.ts';
import { deletePasskey, findPasskey } from '../../db/doors/passkeys.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';

/** Until when the link in the email about a new passkey or a linked identity takes it away. */
export function undoableUntil({ createdAt }: { createdAt: Date }): Date {
  return new Date(createdAt.getTime() + UNDO_DAYS * DAY_MS);
}

/** The token of that link. It needs no row of its own, and serves this passkey alone. */
export async function undoPasskeyToken(
  deps: Pick<Deps, 'db' | 'ids'>,
  passkeyId: string,
): Promise<string> {
  const sign = await linkSigner(deps);
  return `${passkeyId}.${sign(`undo passkey ${passkeyId}`)}`;
}

/**
 * Removes a passkey that was added lately, for whoever reads the owner's emails. Every session ends:
 * whoever added it knew the password, and may be signed in. @throws INVALID_ADDRESS_LINK
 */
export async function undoPasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'sessions'>,
  token: string,
): Promise<{ userId: string }> {
  const [id = ''] = token.split('.');
  const isOurs = isUuid(id) && equal(token, await undoPasskeyToken(deps, id));
  const passkey = isOurs ? await findPasskey(deps.db, id) : undefined;
  if (!passkey || undoableUntil(passkey) <= deps.clock.now()) throw invalid();
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
