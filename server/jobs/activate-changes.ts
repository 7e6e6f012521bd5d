import type { Deps } from '../deps.ts';
import { activateDueChange } from '../domain/accounts/new-password.ts';
import { stepThrough } from './step-through.ts';

/** Puts every new password and operator's change into effect to which nobody has objected in time. */
export async function activateChanges(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'log' | 'sessions' | 'mailQueued'>,
  signal: AbortSignal,
): Promise<void> {
  await stepThrough(deps, signal, {
    what: 'change',
    next: (step) => activateDueChange(deps, step),
  });
}
