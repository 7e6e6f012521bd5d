import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment } from './plain.ts';

/** @param input.isOn whether new devices need a passkey now */
export function passkeyChoiceMail(
  input: ToPerson & { isOn: boolean; changedAt: Date },
): RenderedEmail {
  const { isOn } = input;
  const changed = isOn ? 'turned on' : 'turned off';
  return layOut({
    subject: isOn
      ? 'Your account asks for a passkey on new devices'
      : "Your account doesn't ask for a passkey on new devices any more",
    preheader: 'If it was you, there is nothing to do.',
    heading: isOn ? 'New devices need a passkey' : "New devices don't need a passkey any more",
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `On ${moment(input.changedAt, input.zone)}, “Ask for a passkey on new devices” was ${changed} for your account.`,
      isOn
        ? "If it was you, there's nothing to do. If it wasn't you, set a new password within seven days. That turns it off again, and removes new passkeys."
        : "It also ends when the last passkey is removed, or when a new password takes effect that had to wait. If that wasn't you, set a new password now, and then look at your addresses and passkeys.",
    ],
    action: { label: 'Set a new password', url: input.url },
    notes: [],
    reason: "We send this email when this choice changes. It can't be switched off.",
  });
}
