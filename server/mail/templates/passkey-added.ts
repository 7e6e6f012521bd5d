import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment } from './plain.ts';

export function passkeyAddedMail(
  input: ToPerson & {
    /** With what it was added, in words; null where that is not known. */
    device: string | null;
    addedAt: Date;
    /** Until when the link works. */
    until: Date;
    passwordUrl: string;
  },
): RenderedEmail {
  const device = input.device ? `, with ${input.device}` : '';
  return layOut({
    subject: 'A passkey was added to your account',
    preheader: 'If it was you, there is nothing to do.',
    heading: 'A passkey was added',
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
