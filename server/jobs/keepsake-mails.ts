import { claimDueKeepsakes } from '../db/keepsake-mails.ts';
import { queueMails } from '../db/mails.ts';
import type { Queryable } from '../db/open.ts';
import type { Deps } from '../deps.ts';

const PEOPLE_AT_ONCE = 100;

type KeepsakeDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>;

/** Queues the yearly email to everybody who has asked for it and whose year is over, once each. */
export async function queueKeepsakeMails(deps: KeepsakeDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const queued = await deps.db.transaction((tx) => queueSome(tx, deps));
    if (queued > 0) deps.mailQueued();
    if (queued < PEOPLE_AT_ONCE) return;
  }
}

async function queueSome(tx: Queryable, { clock, ids }: KeepsakeDeps): Promise<number> {
  const now = clock.now();
  const people = await claimDueKeepsakes(tx, { now, limit: PEOPLE_AT_ONCE });
  const rows = people.map(({ id: userId, email: toAddress }) => ({
    id: ids.uuid(),
    kind: 'keepsake' as const,
    toAddress,
    userId,
    capsuleId: null,
    requestedBy: null,
  }));
  await queueMails(tx, rows, now);
  return people.length;
}
