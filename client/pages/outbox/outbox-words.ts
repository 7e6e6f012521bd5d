import { dayAt } from '../../../shared/day.ts';
import type { OutboxRow } from '../../local/db.ts';
import { reasonOf } from '../reason-of.ts';
import { timeText } from '../words.ts';

export interface OutboxSituation {
  online: boolean;
  now: Date;
  /** Whole percent that has left. */
  percent: number;
}

/** Where a queued capsule stands, in a few words for its card. */
export function stateText(item: OutboxRow, { online, now, percent }: OutboxSituation): string {
  if (needsLaterDay(item, now)) return 'Needs your attention';
  switch (item.state) {
    case 'sending':
      return percent > 0 ? `Sealing… ${percent}%` : 'Sealing…';
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

/** The one sentence more that the outbox has room for; null when all is said. */
export function explanation(item: OutboxRow, now: Date): string | null {
  if (needsLaterDay(item, now)) return 'Its unlock date has passed. Choose a later date.';
  switch (item.state) {
    case 'storage-full':
      return 'Your storage is full. Delete a capsule, or take files out of this one.';
    case 'needs-fix':
      return item.failure && reasonOf(item.failure);
    case 'retry-at':
      if (item.mayHaveArrived) return MAY_HAVE_ARRIVED;
      return item.failure?.code === 'NETWORK_ERROR' ? null : (item.failure?.message ?? null);
    case 'queued':
      return item.mayHaveArrived ? MAY_HAVE_ARRIVED : null;
    default:
      return null;
  }
}

/** Why it cannot be taken back right now. */
export const MUST_BE_KNOWN =
  'This capsule was on its way, and no answer came. Before it can be changed or discarded it must be known whether it arrived. That is found out by sending it again: it never becomes two.';

/** The same while the answer may come at any moment. */
export const IS_BEING_SENT =
  'This capsule is being sent right now. It can be changed or discarded again if the server refuses it.';

const MAY_HAVE_ARRIVED =
  'It was on its way, and no answer came. Sending it again finds out whether it arrived.';

/** Too late for the day it should open on; what is on its way already is the server's to judge. */
export function needsLaterDay(item: OutboxRow, now: Date): boolean {
  if (item.failure?.errors.dateToUnlock !== undefined) return true;
  const waits = item.state !== 'sending' && !item.mayHaveArrived;
  return waits && item.fields.dateToUnlock <= dayAt(now, item.timeZone);
}
