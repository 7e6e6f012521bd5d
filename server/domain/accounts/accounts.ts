import type { login, register } from '../../../shared/api/auth.ts';
import type { BodyOf } from '../../../shared/api/endpoint.ts';
import { AppError } from '../../app-error.ts';
import { nameless } from '../../client-limits.ts';
import { isReserved } from '../../db/accounts/addresses.ts';
import { addAccount, findUserByEmail } from '../../db/accounts/users.ts';
import { takeRecoveryCode } from '../../db/doors/recovery-codes.ts';
import type { Deps } from '../../deps.ts';
import { queueEmails } from '../emails/queue.ts';
import { emailTaken } from './address-changes.ts';
import { checkNewDevice } from './passkey-choice.ts';
import { checkPasswordPolicy, checkPasswordsOn } from './password-policy.ts';
import { checkRegistration } from './registration.ts';
import { checkMaySignIn, type SignedIn, startSession } from './start-session.ts';

/**
 * Creates an account. Somebody who was invited can register like this only where addresses have to
 * be confirmed. Elsewhere anybody could take what waits for them, so they need their invitation
 * link (`claimInvitation`).
 * @returns whether the address still has to be confirmed
 * @throws PASSWORDS_OFF, REGISTRATION_CLOSED, EMAIL_TAKEN, VALIDATION_FAILED
 */
export async function registerAccount(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'passwords' | 'mailQueued'>,
  { name, email, password, client }: BodyOf<typeof register> & { client: string },
): Promise<{ mustVerify: boolean }> {
  checkPasswordsOn(deps);
  await checkRegistration(deps.db, deps, null);
  await checkPasswordPolicy(deps.config, { password, email });
  const user = {
    id: deps.ids.uuid(),
    name,
    email,
    passwordHash: await deps.passwords.hash(password),
    createdAt: deps.clock.now(),
  };
  const { emailVerification } = deps.config;
  await deps.db.transaction(async (tx) => {
    const id = await addAccount(tx, user, { mayBeInvited: emailVerification });
    // Checked after the insert: somebody may be leaving the address in this moment, and can still
    // take it back.
    if (!id || (await isReserved(tx, email, user.createdAt))) throw emailTaken();
    const requestedBy = nameless(client);
    if (emailVerification)
      await queueEmails(tx, deps, 'verify-email', [{ id, email, requestedBy }]);
  });
  deps.mailQueued();
  return { mustVerify: emailVerification };
}

/**
 * Checks the password and starts a session. @throws INVALID_CREDENTIALS, with the same answer after the same time for an
 * unknown address; ACCOUNT_SUSPENDED, EMAIL_NOT_VERIFIED, PASSKEY_REQUIRED, INVALID_RECOVERY_CODE,
 * only after the right password; PASSWORDS_OFF
 */
export async function signInAccount(
  deps: Pick<Deps, 'config' | 'db' | 'passwords' | 'sessions'>,
  {
    email,
    password,
    recoveryCode,
    device = '',
    isKnown = false,
  }: BodyOf<typeof login> & {
    /** Browser and system in words. */
    device?: string;
    /** Whether the owner has signed in there before. */
    isKnown?: boolean;
  },
): Promise<SignedIn> {
  checkPasswordsOn(deps);
  const user = await findUserByEmail(deps.db, email);
  const matches = await deps.passwords.verify(user?.passwordHash ?? null, password);
  if (!user || !matches) throw new AppError('INVALID_CREDENTIALS');
  checkMaySignIn(deps, user);
  const codeHash = await checkNewDevice(deps, user, { isKnown, recoveryCode });
  const facts = { device, signedInBy: 'password' as const };
  return startSession(deps, { user, refusal: 'INVALID_CREDENTIALS', ...facts }, async (tx) => {
    if (codeHash && !(await takeRecoveryCode(tx, codeHash))) {
      throw new AppError('INVALID_RECOVERY_CODE');
    }
  });
}
