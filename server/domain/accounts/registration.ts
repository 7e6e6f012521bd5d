import { REGISTRATION_REFUSED } from '../../../shared/sentences.ts';
import { AppError } from '../../app-error.ts';
import { isAdmitted } from '../../db/accounts/invitations.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { contactOf } from './contact.ts';

type RegistrationDeps = Pick<Deps, 'config'>;

/**
 * Whether somebody may make an account. Every way to one asks here. @param invitedId the invited
 * person whose account it becomes; null for somebody without an invitation
 */
export async function mayRegister(
  db: Queryable,
  { config }: RegistrationDeps,
  invitedId: string | null,
): Promise<boolean> {
  if (config.registration === 'open') return true;
  if (invitedId === null) return false;
  return config.registration === 'invited' || isAdmitted(db, invitedId);
}

/** @param invitedId as in `mayRegister` @throws REGISTRATION_CLOSED */
export async function checkRegistration(
  db: Queryable,
  deps: RegistrationDeps,
  invitedId: string | null,
): Promise<void> {
  if (await mayRegister(db, deps, invitedId)) return;
  const { registration } = deps.config;
  throw refused(deps, REGISTRATION_REFUSED[registration === 'invited' ? 'invited' : 'closed']);
}

/**
 * Where registration is closed, nobody is invited: their link could not be used. @throws
 * REGISTRATION_CLOSED
 */
export function checkInviting(deps: RegistrationDeps): void {
  if (deps.config.registration !== 'closed') return;
  throw refused(
    deps,
    "You can't invite anyone here, because only whoever runs this site can create new accounts.",
  );
}

function refused(deps: RegistrationDeps, reason: string): AppError {
  const contact = contactOf(deps);
  const message = contact ? `${reason} You can write to ${contact}.` : reason;
  return new AppError('REGISTRATION_CLOSED', { message });
}
