import { RESET_LINK_MINUTES } from '../../../shared/limits.ts';
import { layOut, type RenderedEmail } from './layout.ts';
import { greet } from './plain.ts';

/**
 * @param input.isAfterUndo a change of their addresses was undone, which has ended the password
 * @param input.isAskedFor somebody asked for the link, and it wasn't sent by undoing
 */
export function passwordResetMail(input: {
  name: string;
  url: string;
  isAfterUndo: boolean;
  isAskedFor: boolean;
}): RenderedEmail {
  const { isAfterUndo } = input;
  return layOut({
    subject: 'Your link to set a new password',
    preheader: `It works once, within ${RESET_LINK_MINUTES} minutes.`,
    heading: 'Set a new password',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      isAfterUndo
        ? "A change of your account's addresses was undone, and your old password doesn't work any more. This link takes you to the page where you choose a new one."
        : 'You asked for a new password. This link takes you to the page where you choose one.',
    ],
    action: { label: 'Choose a new password', url: input.url },
    notes: [
      `The link works for ${RESET_LINK_MINUTES} minutes and can be used once. If it has expired, just ask for another.`,
      ...(isAfterUndo
        ? []
        : [
            "If you didn't ask for this, you don't need to do anything. Your password stays as it is.",
          ]),
    ],
    reason: input.isAskedFor
      ? "You're receiving this email because someone asked to reset the password for this address."
      : "You're receiving this email because someone undid a change with a link that we had sent to an address of your account.",
  });
}
