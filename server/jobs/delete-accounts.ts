import type { Deps } from '../deps.ts';
import { deleteDueAccount } from '../domain/accounts/ordered-deletion.ts';
import { stepThrough } from './step-through.ts';

/** Deletes every account whose deletion an operator has ordered and announced a week ago. */
export async function deleteAccounts(
  deps: Pick<
    Deps,
    'db' | 'clock' | 'ids' | 'filesReleased' | 'limits' | 'log' | 'mailer' | 'mailQueued'
  >,
  signal: AbortSignal,
): Promise<void> {
  await stepThrough(deps, signal, { what: 'user', next: (step) => deleteDueAccount(deps, step) });
}
