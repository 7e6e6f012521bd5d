import { BIN_DAYS } from '../../../shared/limits.ts';
import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment, oneLine } from './plain.ts';

/** To every address of its creator: whoever deleted it was signed in, and need not have known the password. */
export function capsuleDeletedMail(
  input: ToPerson & {
    title: string;
    deletedAt: Date;
    until: Date;
    passwordUrl: string;
  },
): RenderedEmail {
  return layOut({
    subject: 'A capsule of yours was deleted',
    preheader: `You can bring it back for ${BIN_DAYS} days.`,
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `“${oneLine(input.title)}” was deleted on ${moment(input.deletedAt, input.zone)}, by someone who was signed in to your account. Until ${moment(input.until, input.zone)} it's in your bin. Then it's gone for good.`,
      "If it was you, there is nothing to do. If it wasn't, or you've changed your mind, bring it back. It will be as it was, for everyone it's addressed to.",
    ],
    action: { label: 'Bring it back', url: input.url },
    aside: { label: "It wasn't me: set a new password", url: input.passwordUrl },
    notes: [
      'A new password signs out every device.',
      "Please don't forward this email: whoever has it can bring the capsule back.",
    ],
    reason:
      "We send this email to your addresses when a capsule of yours is deleted. It can't be switched off.",
  });
}
