import type { deleteAccount as deleteAccountEndpoint } from '../../../shared/api/delete-account.ts';
import type { BodyOf } from '../../../shared/api/endpoint.ts';
import { AppError } from '../../app-error.ts';
import type { ActorInSession } from '../../auth/sessions.ts';
import { findChanges } from '../../db/accounts/account-changes.ts';
import { leaveCapsules, removeCapsulesOf, removeUser } from '../../db/accounts/account-deletion.ts';
import { type BothAddresses, isSomebodys } from '../../db/accounts/addresses.ts';
import { type Account, findAccount, lockUser } from '../../db/accounts/users.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { mayWriteTo } from '../emails/mailbox-limits.ts';
import { queueEmails } from '../emails/queue.ts';
import { type CheckDeps, checkOwnPassword } from './own-password.ts';

type RemovalDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'filesReleased' | 'limits' | 'log' | 'mailer' | 'mailQueued'
>;

/**
 * Deletes a person's own account. Capsules for others are delivered or destroyed, as the person
 * chose. @throws VALIDATION_FAILED for a wrong password
 */
export async function deleteAccount(
  deps: CheckDeps & RemovalDeps,
  actor: ActorInSession,
  { password, capsules }: BodyOf<typeof deleteAccountEndpoint>,
): Promise<void> {
  const hash = await checkOwnPassword(deps, actor, password);
  const isDeleted = await removeAccount(deps, actor.userId, async (tx) => {
    // Another password may have taken effect since this one was checked.
    const user = await lockUser(tx, actor.userId, hash);
    return user && { user, capsules };
  });
  if (!isDeleted) throw new AppError('UNAUTHENTICATED');
}

/**
 * Deletes an account and tells its main address. A job removes the files after the commit, because
 * there may be thousands. @param lock locks it, which waits for a capsule that the person is sealing;
 * one that they seal afterwards is refused. @returns false if there is nothing to delete any more
 */
export async function removeAccount(
  deps: RemovalDeps,
  userId: string,
  lock: (tx: Queryable) => Promise<Removal | undefined>,
): Promise<boolean> {
  // Not in the transaction: the count may need a connection of its own.
  const mayTell = await mayTellOwner(deps, userId);
  const addresses = await deps.db.transaction(async (tx) => {
    const removal = await lock(tx);
    if (!removal) return null;
    const { user, capsules } = removal;
    const addresses = await findEveryAddress(tx, user);
    if (capsules === 'deliver') await leaveCapsules(tx, user);
    await removeCapsulesOf(tx, user.id);
    await removeUser(tx, user);
    // What the email is about tells the two apart: nothing else of the account is left by then.
    const told = { id: null, email: user.email, ...(removal.isOrdered && { aboutId: user.id }) };
    if (mayTell) await queueEmails(tx, deps, 'account-deleted', [told]);
    return addresses;
  });
  if (!addresses) return false;
  deps.filesReleased();
  // Copies are removed before the last email is sent, because a copy of that may be stored, too.
  for (const address of addresses) {
    // Another account may have one of these addresses. The stored emails may be about that account.
    if (!(await isSomebodys(deps.db, address))) await removeMailCopies(deps, address);
  }
  deps.mailQueued();
  return true;
}

interface Removal {
  user: Account;
  /** What becomes of capsules for others. */
  capsules: 'deliver' | 'destroy';
  /** By whoever runs the site. */
  isOrdered?: true;
}

/**
 * Whether the last email may go to the main address. The email itself has no person who could be
 * looked up when it is sent.
 */
async function mayTellOwner(
  { db, ids, limits }: Pick<Deps, 'db' | 'ids' | 'limits'>,
  userId: string,
): Promise<boolean> {
  const user = await findAccount(db, userId);
  if (!user) return false;
  const mail = { id: ids.uuid(), kind: 'account-deleted' as const, address: user.email };
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
