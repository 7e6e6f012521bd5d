import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { consumeEmailVerification } from './link-tokens.ts';
import { queueVerificationMail } from './notices.ts';

/** @throws INVALID_VERIFICATION_TOKEN */
export async function verifyEmail(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const userId = await consumeEmailVerification(tx, deps, token);
    if (!userId) throw new AppError('INVALID_VERIFICATION_TOKEN');
  });
}

/**
 * Does the same work for every address. The person is looked up when the email is sent. Where nobody
 * has to confirm an address, its owner may want to, so that the second one protects it.
 */
export async function resendVerification(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>,
  email: string,
): Promise<void> {
  await queueVerificationMail(deps.db, deps, { id: null, email });
  deps.mailQueued();
}
