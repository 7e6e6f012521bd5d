import type { Deps } from '../deps.ts';
import { activateDuePassword } from '../domain/accounts/new-password.ts';

/** Activates every new password to which nobody has objected in time. */
export async function activatePasswords(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'sessions' | 'mailQueued'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await activateDuePassword(deps)));
}
