import { isDatabaseAway, isDatabaseBusy } from '../db/errors.ts';
import { findBouncesReadTo, setBouncesReadTo } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';
import { receiveDelivery } from '../domain/emails/delivery.ts';
import type { BounceInbox } from '../mail/mailer.ts';

/** Reads what came back to our mailbox since the last pass, where there is one. */
export async function readBounces(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'mailer' | 'mailQueued'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, log, mailer } = deps;
  const take: BounceInbox['take'] = async (event) => {
    try {
      // Once more at once: two transactions may have waited for each other.
      return await receiveDelivery(deps, event).catch(() => receiveDelivery(deps, event));
    } catch (error) {
      // The next pass reads it again.
      if (isDatabaseAway(error) || isDatabaseBusy(error)) throw error;
      log.error(
        { err: error, sending: event.providerId },
        'A report could not be noted. The others go on.',
      );
      return false;
    }
  };
  const readTo = () => findBouncesReadTo(db);
  const setReadTo = (place: string) => setBouncesReadTo(db, place);
  await mailer.readBounces?.({ take, readTo, setReadTo }, signal);
}
