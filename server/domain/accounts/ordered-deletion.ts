import { DAY_MS } from '../../../shared/limits.ts';
import { later } from '../../clock/clock.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { type Account, lockUser } from '../../db/accounts/users.ts';
import {
  findDeletionOf,
  findDueDeletion,
  type OrderedDeletion,
  orderDeletion,
} from '../../db/doors/ordered-deletions.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails, toEach } from '../emails/queue.ts';
import { removeAccount } from './delete-account.ts';
import { findOthers } from './new-password.ts';

/** How long somebody has to save what is theirs, or to say that it is a mistake. */
export const DELETION_WAITS_DAYS = 7;

/**
 * Orders that an account is deleted in a week, as an operator, and tells all of its addresses.
 * @returns when; null if it is ordered already
 */
export async function announceDeletion(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  user: Account,
  capsules: OrderedDeletion['capsules'],
): Promise<Date | null> {
  const orderedAt = deps.clock.now();
  const dueAt = later(orderedAt, DELETION_WAITS_DAYS * DAY_MS);
  const isNew = await orderDeletion(tx, { userId: user.id, capsules, orderedAt, dueAt });
  if (!isNew) return null;
  const others = await findOthers(tx, user, user.email, orderedAt);
  const told = [...new Set([...addressesOf(user), ...others])];
  await queueEmails(tx, deps, 'deletion-announced', toEach(user.id, told));
  return dueAt;
}

/**
 * Deletes one account whose week is over. Several processes can do this at once. @returns whether
 * there was one, so that there may be more
 */
export async function deleteDueAccount(
  deps: Parameters<typeof removeAccount>[0],
  { except, begin }: { except: string[]; begin: (id: string) => void },
): Promise<boolean> {
  const now = deps.clock.now();
  const due = await findDueDeletion(deps.db, { now, except });
  if (!due) return false;
  begin(due.userId);
  await removeAccount(deps, due.userId, async (tx) => {
    const user = await lockUser(tx, due.userId);
    // Checked again under the lock: the operator may have withdrawn it in this moment.
    const order = user && (await findDeletionOf(tx, user.id));
    return order && order.dueAt <= now
      ? { user, capsules: order.capsules, isOrdered: true }
      : undefined;
  });
  return true;
}
