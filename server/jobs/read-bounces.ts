import { findBouncesReadTo, setBouncesReadTo } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';
import { receiveDelivery } from '../domain/emails/delivery.ts';
import type { BounceInbox } from '../mail/mailer.ts';

/** Reads what came back to our mailbox since the last pass, where there is one. */
export async function readBounces(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'mailer' | 'mailQueued'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, mailer } = deps;
  const take: BounceInbox['take'] = (event) => receiveDelivery(deps, event);
  const readTo = () => findBouncesReadTo(db);
  const setReadTo = (place: string) => setBouncesReadTo(db, place);
  await mailer.readBounces?.({ take, readTo, setReadTo }, signal);
}
