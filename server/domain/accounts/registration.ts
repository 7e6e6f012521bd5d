import { registrationRefused } from '../../../shared/sentences.ts';
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
  throw refused(registrationRefused(deps.config.registration, contactOf(deps)));
}

/** What an invited person reads where they can't make an account. */
export function whomToAsk(deps: RegistrationDeps): string {
  const contact = contactOf(deps);
  const whom = contact
    ? `write to ${contact}`
    : 'ask whoever invited you to put you in touch with whoever runs this site';
  return `To get an account, ${whom}. Whatever was sealed for you waits.`;
}

/**
 * Where registration is closed, nobody is invited: their link could not be used. @throws
 * REGISTRATION_CLOSED
 */
export function checkInviting(deps: RegistrationDeps): void {
  if (deps.config.registration !== 'closed') return;
  const contact = contactOf(deps);
  throw refused(
    `You can't invite anyone here, because only whoever runs this site can create new accounts.${contact ? ` You can write to ${contact}.` : ''}`,
  );
}

const refused = (message: string) => new AppError('REGISTRATION_CLOSED', { message });
