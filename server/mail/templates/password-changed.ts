import { type RenderedMail, renderLetter } from './letter.ts';
import { greet, moment } from './plain.ts';

export function passwordChangedMail(input: {
  name: string;
  changedAt: Date;
  /** The reader's time zone; null where it is not known. */
  zone: string | null;
  url: string;
  /** The address that is told doesn't belong to the account any more. */
  isTakenOff: boolean;
}): RenderedMail {
  const { isTakenOff } = input;
  return renderLetter({
    subject: 'Your password was changed',
    preheader: 'If it was you, all is well.',
    heading: 'Your password was changed',
    tone: 'copper',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `The password of your account was changed on ${moment(input.changedAt, input.zone)}, and every device was signed out. If it was you, all is well.`,
      isTakenOff
        ? "This address doesn't belong to the account any more. If you want it back, please add it again when you've signed in."
        : "If it wasn't you, please set a new password right away.",
    ],
    action: { label: "It wasn't me", url: input.url },
    notes: [
      `The page asks for ${isTakenOff ? 'the main' : 'this'} address and emails you a reset link.`,
    ],
    reason: "We send this email after every change of a password. It can't be switched off.",
  });
}
