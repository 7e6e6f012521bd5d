import { UNLOCK_YEARS_MAX } from './limits.ts';

/** Texts that server and client share. */

export const CHECK_FIELDS = 'Please check the highlighted fields.';
export const DAY_AFTER_TODAY = 'Please choose an unlock date after today.';
export const TOO_FAR_AHEAD = `The unlock date can be at most ${UNLOCK_YEARS_MAX} years ahead.`;
export const NO_SUCH_PROFILE = "This user profile doesn't exist or is private.";

export const FILE_LOST = "This file was lost on the server and can't be brought back.";
export const FILE_DAMAGED =
  'A file is damaged or missing on the server. Whoever runs it may have a backup.';

/** Why nobody can register here, by the site's setting. */
export const REGISTRATION_REFUSED = {
  invited: 'This site is by invitation. Ask whoever runs it.',
  closed: 'Only whoever runs this site can create new accounts here.',
} as const;

/** The same, with the address of who runs the site. @param contact null where there is none */
export function registrationRefused(registration: string | undefined, contact: string | null) {
  const isByInvitation = registration === 'invited';
  if (contact === null) return REGISTRATION_REFUSED[isByInvitation ? 'invited' : 'closed'];
  return isByInvitation
    ? `This site is by invitation. To get one, write to ${contact}.`
    : `${REGISTRATION_REFUSED.closed} You can write to ${contact}.`;
}
