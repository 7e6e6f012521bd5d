import { ERRORS } from '../../../shared/errors.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { contactOf } from './contact.ts';

/**
 * Called once somebody has shown that the account is theirs: nobody else learns that it is suspended.
 * @throws ACCOUNT_SUSPENDED
 */
export function checkNotSuspended(
  deps: Pick<Deps, 'config'>,
  { suspendedAt }: { suspendedAt: Date | null },
): void {
  if (!suspendedAt) return;
  const contact = contactOf(deps);
  const says = ERRORS.ACCOUNT_SUSPENDED[1];
  const message = contact ? `${says} Write to ${contact} if you have questions.` : says;
  throw new AppError('ACCOUNT_SUSPENDED', { message });
}
