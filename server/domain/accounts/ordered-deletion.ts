import { DAY_MS } from '../../../shared/limits.ts';
import { later } from '../../clock/clock.ts';
import { findDueDeletion } from '../../db/accounts/account-deletion.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { type FoundAccount, lockUser, updateUser } from '../../db/accounts/users.ts';
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
  user: FoundAccount,
  deletionCapsules: NonNullable<FoundAccount['deletionCapsules']>,
): Promise<Date | null> {
  if (user.deletionDueAt) return null;
  const now = deps.clock.now();
  const deletionDueAt = later(now, DELETION_WAITS_DAYS * DAY_MS);
  await updateUser(tx, user.id, { deletionDueAt, deletionCapsules });
  const others = await findOthers(tx, user, user.email, now);
  const told = [...new Set([...addressesOf(user), ...others])];
  await queueEmails(tx, deps, 'deletion-announced', toEach(user.id, told));
  return deletionDueAt;
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
  const userId = await findDueDeletion(deps.db, { now, except });
  if (!userId) return false;
  begin(userId);
  await removeAccount(deps, userId, async (tx) => {
    const user = await lockUser(tx, userId);
    // Checked again under the lock: the operator may have withdrawn it in this moment.
    if (!user?.deletionDueAt || !user.deletionCapsules || user.deletionDueAt > now)
      return undefined;
    return { user, capsules: user.deletionCapsules, isOrdered: true };
  });
  return true;
}
