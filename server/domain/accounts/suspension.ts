import { ERRORS } from '../../../shared/errors.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { writeToContact } from './contact.ts';

/**
 * Called once somebody has shown that the account is theirs: nobody else learns that it is suspended.
 * @throws ACCOUNT_SUSPENDED
 */
export function checkNotSuspended(
  deps: Pick<Deps, 'config'>,
  { suspendedAt }: { suspendedAt: Date | null },
): void {
  if (!suspendedAt) return;
  const message = ERRORS.ACCOUNT_SUSPENDED[1] + writeToContact(deps);
  throw new AppError('ACCOUNT_SUSPENDED', { message });
}
