import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment } from './plain.ts';

export function passwordGuessedMail(
  input: ToPerson & {
    guessedAt: Date;
  },
): RenderedEmail {
  return layOut({
    subject: 'Ten wrong passwords in your account',
    preheader: "We've signed that device out.",
    heading: 'Somebody guessed at your password',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `On a device that was signed in to your account, a wrong password or passkey was tried ten times within an hour, the last time on ${moment(input.guessedAt, input.zone)}. We've signed that device out. Nothing was changed.`,
      "If it was you, you can just sign in again. If it wasn't you, somebody has been on a device of yours. Please set a new password, which signs out every device.",
    ],
    action: { label: 'Set a new password', url: input.url },
    notes: ['The page asks for your address and emails you a reset link.'],
    reason: "We send this email when somebody guesses at your password. It can't be switched off.",
  });
}
