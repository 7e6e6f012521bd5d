import { RESET_LINK_MINUTES } from '../../../shared/limits.ts';
import { type RenderedMail, renderLetter } from './letter.ts';
import { greet } from './plain.ts';

export function passwordResetMail(input: { name: string; url: string }): RenderedMail {
  return renderLetter({
    subject: 'Your link to set a new password',
    preheader: `It works once, within ${RESET_LINK_MINUTES} minutes.`,
    heading: 'Set a new password',
    tone: 'copper',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      'You asked for a new password. This link takes you to the page where you choose one.',
    ],
    action: { label: 'Choose a new password', url: input.url },
    notes: [
      `The link lives for ${RESET_LINK_MINUTES} minutes and can be used once. If it has run out, just ask for another.`,
      'If you did not ask for this, you need not do anything: your password stays as it is.',
    ],
    reason: 'You get this mail because a password reset was asked for with this address.',
  });
}
