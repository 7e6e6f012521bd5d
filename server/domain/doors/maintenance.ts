import { AppError } from '../../app-error.ts';
import { findMaintenance } from '../../db/doors/maintenance.ts';
import type { Deps } from '../../deps.ts';

/** How long an app that waits to seal leaves the server alone. */
const AGAIN_AFTER_SECONDS = 60;

/**
 * Called before anything of a capsule is received. Reading goes on while an operator works on the
 * server. @throws MAINTENANCE
 */
export async function checkNoMaintenance({ db }: Pick<Deps, 'db'>): Promise<void> {
  if (await findMaintenance(db)) {
    throw new AppError('MAINTENANCE', { retryAfter: AGAIN_AFTER_SECONDS });
  }
}
