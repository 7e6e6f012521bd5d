import type { Deps } from '../deps.ts';
import { activateDueChange } from '../domain/accounts/new-password.ts';

/** Puts every new password and operator's change into effect to which nobody has objected in time. */
export async function activateChanges(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'sessions' | 'mailQueued'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await activateDueChange(deps)));
}
