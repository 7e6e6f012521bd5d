import { AppError } from '../../app-error.ts';
import { nameless } from '../../client-limits.ts';
import { lockUserByLink } from '../../db/accounts/link-tokens.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails } from '../emails/queue.ts';
import { usedLink } from './link-tokens.ts';
import { verifyMain } from './new-password.ts';

/**
 * Confirms the main address. The link works until it expires, because email scanners open links
 * before people do. @throws INVALID_VERIFICATION_TOKEN
 */
export async function verifyEmail(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const found = await lockUserByLink(tx, usedLink(deps, 'verify', token));
    if (!found || !(await verifyMain(tx, deps, found.user)))
      throw new AppError('INVALID_VERIFICATION_TOKEN');
  });
}

/**
 * Queues another verification link. The work is the same for every address, so that it doesn't show
 * which ones have an account: the person is looked up when the email is sent.
 */
export async function resendVerification(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'mailQueued'>,
  { email, client }: { email: string; client: string },
): Promise<void> {
  if (!deps.config.emailVerification) return;
  const requestedBy = nameless(client);
  await queueEmails(deps.db, deps, 'verify-email', [{ id: null, email, requestedBy }]);
  deps.mailQueued();
}
