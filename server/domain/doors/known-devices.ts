import { publicIdOf } from '../../auth/sessions.ts';
import { hashToken } from '../../auth/token-hash.ts';
import { addressesOf } from '../../db/accounts/addresses.ts';
import { lockUser } from '../../db/accounts/users.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails, toEach } from '../emails/queue.ts';

/**
 * Tells every address of an account that somebody has signed in on a device where its owner had
 * not. Three times a day: whoever knows the password must not fill the owner's mailbox, and the owner's
 * own new phone must not hide a thief who comes after it.
 * @param token of the session that has begun
 */
export async function tellOfNewDevice(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'limits' | 'mailQueued'>,
  { userId, token }: { userId: string; token: string },
): Promise<void> {
  if (!(await deps.limits.tryTake('newDeviceMail', userId)).isWithin) return;
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) return;
    const session = publicIdOf(hashToken(token));
    await queueEmails(tx, deps, 'new-device', toEach(userId, addressesOf(user), session));
  });
  deps.mailQueued();
}
