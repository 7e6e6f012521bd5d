import { HOUR_MS } from '../../shared/limits.ts';
import { later } from '../clock/clock.ts';
import {
  claimOpenedCapsules,
  holdPeople,
  listRecipientsOf,
  setAnnounced,
  takeBackAnnouncements,
} from '../db/emails/openings.ts';
import { countDueOpenings } from '../db/emails/sendings.ts';
import type { Queryable } from '../db/open.ts';
import { takeBackPushes } from '../db/push/push.ts';
import type { Deps } from '../deps.ts';
import { queueOpenedNotices } from '../domain/emails/queue.ts';

const CAPSULES_AT_ONCE = 50;
/**
 * With so many emails due, a pass announces CAPSULES_AT_ONCE and no more, so that a long downtime
 * does not flood the queue. It does not stop: browsers are told even if no email leaves.
 */
const DUE_NOTICES_MAX = 5_000;
/**
 * Clocks of several servers differ by less than this. One must not take back what another has just
 * announced.
 */
const AHEAD_MIN_MS = HOUR_MS;

type NoticeDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'mailQueued'>;

/**
 * Queues "it has opened" once for every opened capsule, also after a long downtime and with
 * several servers. Announcements of a clock that was ahead are repeated on the right day.
 */
export async function announceOpenings(deps: NoticeDeps, signal: AbortSignal): Promise<void> {
  await takeBackEarly(deps, signal);
  while (!signal.aborted) {
    const upTo = { now: deps.clock.now(), most: DUE_NOTICES_MAX };
    const isFull = (await countDueOpenings(deps.db, upTo)) === DUE_NOTICES_MAX;
    const opened = await deps.db.transaction((tx) => queueSome(tx, deps));
    if (opened > 0) deps.mailQueued();
    if (isFull || opened < CAPSULES_AT_ONCE) return;
  }
}

async function takeBackEarly({ db, clock }: NoticeDeps, signal: AbortSignal): Promise<void> {
  const instant = later(clock.now(), AHEAD_MIN_MS);
  const some = { instant, limit: CAPSULES_AT_ONCE };
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const back = await db.transaction(async (tx) => {
      const count = await takeBackAnnouncements(tx, some);
      if (isFirst && count > 0) await takeBackPushes(tx, instant);
      return count;
    });
    if (back < CAPSULES_AT_ONCE) return;
  }
}

async function queueSome(tx: Queryable, deps: NoticeDeps): Promise<number> {
  const now = deps.clock.now();
  const opened = await claimOpenedCapsules(tx, { now, limit: CAPSULES_AT_ONCE });
  if (opened.length === 0) return 0;
  const recipients = await listRecipientsOf(
    tx,
    opened.map(({ id }) => id),
  );
  const withRecipients = opened.map((capsule) => ({
    ...capsule,
    recipients: recipients.filter(({ capsuleId }) => capsuleId === capsule.id),
  }));
  const idsOf = ({ creator, recipients }: (typeof withRecipients)[number]) =>
    [...recipients, ...(creator ? [creator] : [])].map(({ id }) => id);
  const held = await holdPeople(tx, withRecipients.flatMap(idsOf));
  // A capsule is announced by a later pass while one of its people is being removed.
  const told = withRecipients.filter((capsule) => idsOf(capsule).every((id) => held.has(id)));
  await queueOpenedNotices(tx, deps, told);
  await setAnnounced(
    tx,
    told.map(({ id }) => id),
    now,
  );
  return told.length;
}
