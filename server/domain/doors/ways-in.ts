import { AppError } from '../../app-error.ts';
import { issuerOf } from '../../auth/identity-provider.ts';
import { ENDED_PASSWORD, findPasswordHash } from '../../db/accounts/users.ts';
import { findIdentityOf } from '../../db/doors/identities.ts';
import { findPasskeys } from '../../db/doors/passkeys.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';

/** Whether a password signs this person in. */
export async function hasPassword(
  db: Queryable,
  { config }: Pick<Deps, 'config'>,
  userId: string,
): Promise<boolean> {
  if (!config.passwordSignIn) return false;
  const hash = await findPasswordHash(db, userId);
  return hash != null && hash !== ENDED_PASSWORD;
}

/**
 * Checks that something else lets somebody in whose passkey or identity has just been taken away.
 * @param tx of that, with the person locked @throws VALIDATION_FAILED
 */
export async function checkWayIn(
  tx: Queryable,
  deps: Pick<Deps, 'config'>,
  userId: string,
): Promise<void> {
  if (await hasPassword(tx, deps, userId)) return;
  if ((await findPasskeys(tx, userId)).length > 0) return;
  if (deps.config.identityProvider && (await findIdentityOf(tx, userId, issuerOf(deps)))) return;
  const message = deps.config.passwordSignIn
    ? 'Nothing else would sign you in. Please add a passkey or choose a password first.'
    : 'Nothing else would sign you in. Please add a passkey first.';
  throw new AppError('VALIDATION_FAILED', { message });
}
