import type { BodyOf } from '../../../shared/api/endpoint.ts';
import type { deleteAccount as deleteAccountEndpoint } from '../../../shared/api/user.ts';
import { AppError } from '../../app-error.ts';
import type { ActorInSession } from '../../auth/sessions.ts';
import { findChanges } from '../../db/accounts/account-changes.ts';
import { leaveCapsules, removeCapsulesOf, removeUser } from '../../db/accounts/account-deletion.ts';
import { type BothAddresses, isSomebodys } from '../../db/accounts/addresses.ts';
import { findUser, lockUser } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { mayWriteTo } from '../emails/mailbox-limits.ts';
import { queueAccountDeletedMail } from '../emails/notices.ts';
import { checkOwnPassword } from './own-password.ts';

/**
 * Deletes an account. Capsules for others are delivered or destroyed, as the person chose. A job
 * removes the files after the commit, because there may be thousands.
 * @throws VALIDATION_FAILED for a wrong password
 */
export async function deleteAccount(
  deps: Pick<
    Deps,
    | 'db'
    | 'clock'
    | 'ids'
    | 'filesReleased'
    | 'limits'
    | 'log'
    | 'mailer'
    | 'mailQueued'
    | 'passwords'
    | 'sessions'
  >,
  actor: ActorInSession,
  { password, capsules }: BodyOf<typeof deleteAccountEndpoint>,
): Promise<void> {
  const hash = await checkOwnPassword(deps, actor, password);
  // Not in the transaction: the count may need a connection of its own.
  const isTold = await mayTell(deps, actor.userId);
  const addresses = await deps.db.transaction(async (tx) => {
    // The lock waits for a capsule that the person is sealing. One that they seal afterwards is
    // refused.
    // Another password may have taken effect since this one was checked.
    const user = await lockUser(tx, actor.userId, hash);
    if (!user) throw new AppError('UNAUTHENTICATED');
    const addresses = await findEveryAddress(tx, user);
    if (capsules === 'deliver') await leaveCapsules(tx, user);
    await removeCapsulesOf(tx, user.id);
    await removeUser(tx, user);
    if (isTold) await queueAccountDeletedMail(tx, deps, user.email);
    return addresses;
  });
  deps.filesReleased();
  // Copies are removed before the last email is sent, because a copy of that may be stored, too.
  for (const address of addresses) {
    // Another account may have one of these addresses. The stored emails may be about that account.
    if (!(await isSomebodys(deps.db, address))) await removeMailCopies(deps, address);
  }
  deps.mailQueued();
}

/**
 * Whether the last email may go to the main address. The email itself has no person who could be
 * looked up when it is sent.
 */
async function mayTell(
  { db, ids, limits }: Pick<Deps, 'db' | 'ids' | 'limits'>,
  userId: string,
): Promise<boolean> {
  const user = await findUser(db, userId);
  if (!user) return false;
  const mail = { id: ids.uuid(), kind: 'account-deleted' as const, toAddress: user.email };
  return mayWriteTo({ db, limits }, { ...mail, userId });
}

/**
 * Every address that was sent emails about the account: its own, earlier ones, and those it asked
 * for.
 */
async function findEveryAddress(
  tx: Queryable,
  { id, email, secondEmail }: BothAddresses & { id: string },
): Promise<string[]> {
  const changes = await findChanges(tx, id);
  const others = changes.flatMap((one) => [one.newAddress, one.previousMain, one.previousSecond]);
  const all = [email, secondEmail, ...others].filter((address) => address !== null);
  return [...new Set(all)];
}

/**
 * Removes stored copies of emails to an address that nobody has any more. A failure is logged, and
 * the sweep removes them later.
 */
export async function removeMailCopies(
  { mailer, log }: Pick<Deps, 'mailer' | 'log'>,
  address: string,
): Promise<void> {
  try {
    await mailer.removeTo?.(address);
  } catch (error) {
    log.error(
      { err: error },
      'Emails to a deleted account could not be deleted from the outbox yet.',
    );
  }
}
