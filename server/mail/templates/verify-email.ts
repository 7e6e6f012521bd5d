import { VERIFICATION_LINK_HOURS } from '../../../shared/limits.ts';
import { refusal } from './invitation.ts';
import { layOut, type RenderedEmail } from './layout.ts';
import { greet } from './plain.ts';

const REASON =
  "Someone created an account with this address. If it wasn't you, please ignore this email. Without your confirmation nobody can use the account.";

/** @param input.isForPassword they asked for a new password, without having confirmed the address */
export function verifyEmailMail(input: {
  name: string;
  url: string;
  isForPassword?: boolean;
}): RenderedEmail {
  return layOut({
    subject: 'Please confirm your email address',
    preheader: 'One tap, and your account is ready.',
    heading: greet('Welcome', input.name),
    paragraphs: [
      "You're about to write to the future. Please confirm that this address is yours, so that capsules addressed to you can reach you.",
      ...(input.isForPassword
        ? ['To choose a new password, please confirm the address first and then ask for it again.']
        : []),
    ],
    action: { label: 'Confirm my address', url: input.url },
    notes: [
      `The link works for ${VERIFICATION_LINK_HOURS} hours. You can ask for a new one when you sign in.`,
    ],
    reason: REASON,
  });
}

/**
 * For an invited person: the link leads to the page on which they choose their password. Without a
 * name: whoever registered may be somebody else.
 */
export function verifyInvitedMail(input: { url: string; refuseUrl?: string }): RenderedEmail {
  return layOut({
    subject: 'Please confirm your email address',
    preheader: 'Choose your password, and your account is ready.',
    heading: 'Welcome',
    paragraphs: [
      'Someone has invited you, so a time capsule may already be waiting for you. Please confirm that this address is yours.',
      'To make sure that only you can open what is addressed to you, the next page asks for your name and password, even if you have chosen them before.',
    ],
    action: { label: 'Confirm my address', url: input.url },
    // INVITATION_LINK_DAYS, in words.
    notes: ['There is no hurry. The link works for a year.'],
    aside: refusal(input.refuseUrl),
    reason: REASON,
  });
}
