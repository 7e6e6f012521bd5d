import { dayAt } from '../../../shared/day.ts';
import type { OutboxRow } from '../../db/tables.ts';
import { timeText } from '../format.ts';

interface OutboxSituation {
  online: boolean;
  now: Date;
}

/** The state of an outbox item, in a few words for its card. */
export function stateText(item: OutboxRow, { online, now }: OutboxSituation): string {
  if (needsLaterDay(item, now)) return 'Needs your attention';
  switch (item.state) {
    case 'sending':
      // No percent here: the progress bar shows it, and announces only quarters.
      return 'Sending…';
    case 'queued':
      return online ? 'Waiting for its turn' : 'Waiting for a connection';
    case 'retry-at':
      if (!online) return 'Waiting for a connection';
      return item.nextTryAt > now.getTime()
        ? `Trying again at ${timeText(item.nextTryAt)}`
        : 'Trying again now';
    case 'needs-sign-in':
      return 'Sign in to send it';
    case 'needs-fix':
    case 'storage-full':
      return 'Needs your attention';
  }
}

/** One more sentence for the outbox page. Null if the state says enough. */
export function explanation(item: OutboxRow, now: Date): string | null {
  if (needsLaterDay(item, now)) return 'Its unlock date has passed. Choose a later date.';
  switch (item.state) {
    case 'storage-full':
      return 'Your storage is full. Delete a capsule for good, or remove files from this one.';
    case 'needs-fix':
      return item.failure?.message ?? null;
    case 'retry-at':
      if (item.mayHaveArrived) return MAY_HAVE_ARRIVED;
      return item.failure?.code === 'NETWORK_ERROR' ? null : (item.failure?.message ?? null);
    case 'queued':
      return item.mayHaveArrived ? MAY_HAVE_ARRIVED : null;
    default:
      return null;
  }
}

/** Whether nothing sends it before its person has done something. */
export function needsPerson(item: OutboxRow, now: Date): boolean {
  const states = ['needs-fix', 'storage-full', 'needs-sign-in'];
  return states.includes(item.state) || needsLaterDay(item, now);
}

/** Why it cannot be edited or discarded before its delivery is known. */
export const MUST_BE_KNOWN =
  'We lost the connection before we heard back. Tap Try now to check. It will never be sent twice.';

/** Why it cannot be edited or discarded while it is being sent. */
export const IS_BEING_SENT =
  'This capsule is being sent right now. You can edit or discard it only if the server turns it down.';

const MAY_HAVE_ARRIVED =
  'We lost the connection before we heard back. It will never be sent twice.';

/** True if its unlock day has passed. For a capsule that may have arrived, the server decides. */
export function needsLaterDay(item: OutboxRow, now: Date): boolean {
  if (item.failure?.errors.dateToUnlock !== undefined) return true;
  const waits = item.state !== 'sending' && !item.mayHaveArrived;
  return waits && item.fields.dateToUnlock <= dayAt(now, item.timeZone);
}

/** The item as its seal shows it: locked, with none of its time passed. */
export function queuedCapsule({ id, fields, timeZone, queuedAt }: OutboxRow) {
  const { dateToUnlock } = fields;
  const createdAt = new Date(queuedAt).toISOString();
  const unlockAt = `${dateToUnlock}T00:00:00.000Z`;
  return { id, dateToUnlock, timeZone, createdAt, unlockAt, locked: true };
}
