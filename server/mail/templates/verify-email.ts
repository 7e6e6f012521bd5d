import { VERIFICATION_LINK_HOURS } from '../../../shared/limits.ts';
import { type RenderedMail, renderLetter } from './letter.ts';
import { greet } from './plain.ts';

export function verifyEmailMail(input: { name: string; url: string }): RenderedMail {
  return renderLetter({
    subject: 'Please confirm your email address',
    preheader: 'One tap, and your account is ready.',
    heading: greet('Welcome', input.name),
    tone: 'copper',
    paragraphs: [
      "You're about to write to the future. Please confirm that this address is yours, so that capsules addressed to you can reach you.",
    ],
    action: { label: 'Confirm my address', url: input.url },
    notes: [
      `The link works for ${VERIFICATION_LINK_HOURS} hours. You can ask for a new one when you sign in.`,
    ],
    reason:
      "Someone created an account with this address. If it wasn't you, please ignore this email. Without your confirmation nobody can use the account.",
  });
}
