import { type RenderedMail, renderLetter } from './letter.ts';
import { greet, moment } from './plain.ts';

export function passkeyAddedMail(input: {
  name: string;
  /** With what it was added, in words; null where that is not known. */
  device: string | null;
  addedAt: Date;
  /** Until when the link works. */
  until: Date;
  /** The reader's time zone; null where it is not known. */
  zone: string | null;
  url: string;
  passwordUrl: string;
}): RenderedMail {
  const device = input.device ? `, with ${input.device}` : '';
  return renderLetter({
    subject: 'A passkey was added to your account',
    preheader: 'If it was you, there is nothing to do.',
    heading: 'A passkey was added',
    tone: 'copper',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `On ${moment(input.addedAt, input.zone)}, a passkey was added to your account${device}. Whoever has it can sign in without your password.`,
      "If it was you, there's nothing to do. If it wasn't you, remove the passkey, and then set a new password.",
    ],
    action: { label: 'Remove the passkey', url: input.url },
    aside: { label: 'Set a new password', url: input.passwordUrl },
    notes: [
      `The link works until ${moment(input.until, input.zone)}. It signs out every device. Don't forward this email: whoever has the link can use it.`,
    ],
    reason: "We send this email when a passkey is added. It can't be switched off.",
  });
}
