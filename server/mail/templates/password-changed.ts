import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment } from './plain.ts';

export function passwordChangedMail(
  input: ToPerson & {
    changedAt: Date;
    /** The address that is told doesn't belong to the account any more. */
    isTakenOff: boolean;
  },
): RenderedEmail {
  const { isTakenOff } = input;
  return layOut({
    subject: 'Your password was changed',
    preheader: 'If it was you, all is well.',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `The password of your account was changed on ${moment(input.changedAt, input.zone)}, and every device was signed out. If it was you, all is well.`,
      isTakenOff
        ? "This address doesn't belong to the account any more. If you want it back, please add it again when you've signed in."
        : "If it wasn't you, please set a new password right away.",
      'Passkeys and linked sign-ins added in the seven days before were removed, in case somebody else had added them.',
    ],
    action: { label: "It wasn't me", url: input.url },
    notes: [
      `The page asks for ${isTakenOff ? 'the main' : 'this'} address and emails you a reset link.`,
    ],
    reason: "We send this email after every change of a password. It can't be switched off.",
  });
}
