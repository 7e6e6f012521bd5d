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
      'You are about to write to the future. Please confirm that this address is yours, so that capsules meant for you find their way.',
    ],
    action: { label: 'Confirm my address', url: input.url },
    notes: [
      `The link works for ${VERIFICATION_LINK_HOURS} hours. You can ask for a new one when you sign in.`,
    ],
    reason:
      'Someone made an account with this address. If it was not you, please ignore this mail: without your confirmation nobody can use it.',
  });
}
