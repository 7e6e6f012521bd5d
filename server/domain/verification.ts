import { AppError } from '../app-error.ts';
import { findUserByEmail } from '../db/users.ts';
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

/** Answers the same for unknown and verified addresses. */
export async function resendVerification(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>,
  email: string,
): Promise<void> {
  const user = await findUserByEmail(deps.db, email);
  if (!user || user.emailVerifiedAt) return;
  await deps.db.transaction((tx) => queueVerificationMail(tx, deps, user));
  deps.mailQueued();
}
