import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { receiveDelivery } from '../domain/delivery.ts';

/** Reads what came back to our mailbox since the last pass, where there is one. */
export async function readBounces(
  deps: Pick<Deps, 'db' | 'clock' | 'mailer' | 'mailQueued'>,
  signal: AbortSignal,
): Promise<void> {
  await deps.mailer.readBounces?.(async (event) => {
    try {
      return (await receiveDelivery(deps, event)) ? 'ours' : 'other';
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAVAILABLE') return 'later';
      throw error;
    }
  }, signal);
}
