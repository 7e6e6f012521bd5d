import type { AddressSlot } from '../../../shared/api/addresses.ts';
import { ADDRESS_LINK_HOURS } from '../../../shared/limits.ts';
import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment } from './plain.ts';

/**
 * To the new address, which is theirs only once the link was opened. @param waitsUntil of an
 * operator's change: until when others can object
 */
export function confirmAddressMail(
  input: ToPerson & { slot: AddressSlot; waitsUntil: Date | null },
): RenderedEmail {
  const { slot, waitsUntil, zone } = input;
  return layOut({
    subject: 'Please confirm your email address',
    preheader: 'Nothing changes before you do.',
    heading: 'Is this address yours?',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `You asked us to make this the ${slot} address of your account. Please confirm that it's yours.`,
    ],
    action: { label: 'Confirm my address', url: input.url },
    notes: [
      waitsUntil
        ? `The link works once, until ${moment(waitsUntil, zone)}. That's when the change takes effect, unless someone stops it at one of your earlier addresses.`
        : `The link works once, within ${ADDRESS_LINK_HOURS} hours.`,
    ],
    reason:
      "Someone gave us this address as theirs. If it wasn't you, please ignore this email. Without your confirmation nothing changes.",
  });
}

/**
 * To every address of before. The new one is not named: the one before may be somebody else's by
 * now. @param until when it can be undone; null when it is too late for that
 */
export function addressChangedMail(
  input: ToPerson & {
    slot: AddressSlot;
    happened: 'added' | 'changed' | 'removed';
    changedAt: Date;
    until: Date | null;
  },
): RenderedEmail {
  const { slot, happened, until } = input;
  const title =
    happened === 'added'
      ? `A ${slot} address was added to your account`
      : `The ${slot} address of your account was ${happened}`;
  return layOut({
    subject: title,
    preheader: 'If it was you, all is well.',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `${title} on ${moment(input.changedAt, input.zone)}. If it was you, all is well.`,
      until
        ? "If it wasn't you, please undo it. You'll get your addresses back, every device will be signed out, and we'll email you a link to choose a new password."
        : "We couldn't reach you any sooner, and it's too late to undo it by a link. If it wasn't you, please write to whoever runs this site.",
    ],
    action: until
      ? { label: "It wasn't me", url: input.url }
      : { label: 'Get help', url: input.url },
    notes: until
      ? [
          `You can undo it until ${moment(until, input.zone)}.`,
          "Please don't forward this email: whoever has it can undo the change.",
        ]
      : [],
    reason:
      "We send this email to every address you had before a change. It can't be switched off.",
  });
}

/** To every address of an account whose owner says they can't read any of them. @param until when it can be stopped */
export function addressToChangeMail(input: ToPerson & { until: Date }): RenderedEmail {
  return layOut({
    subject: 'Your main address is about to be changed',
    preheader: "If you didn't ask for this, please stop it.",
    heading: 'Did you lose this address?',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      "Someone told whoever runs this site that they are you, and that they can't read your email any more. They asked for another main address.",
      `If it was you, you don't need to do anything. If you can read this and didn't ask, please stop it before ${moment(input.until, input.zone)}.`,
    ],
    action: { label: 'Stop the change', url: input.url },
    reason:
      "We send this email to every address of an account before its main address is changed for someone. It can't be switched off.",
  });
}

/**
 * To the addresses that a change had brought, and to the second one of before. @param isAsked whether
 * this address has a say in a new password
 */
export function changeUndoneMail(
  input: ToPerson & { undoneAt: Date; isAsked: boolean },
): RenderedEmail {
  return layOut({
    subject: 'A change of your addresses was undone',
    preheader: 'Every device is signed out.',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `On ${moment(input.undoneAt, input.zone)} someone undid a change of the addresses of your account, with a link that we had sent to an earlier one. Every device is signed out, and the password no longer works.`,
      "If it was you, all is well. If it wasn't, please write to whoever runs this site.",
      ...(input.isAsked
        ? ["Before a new password takes effect, we'll ask you here, and you can say no."]
        : []),
    ],
    action: { label: 'Get help', url: input.url },
    reason: "We send this email to every address that a change is about. It can't be switched off.",
  });
}

/** To the other addresses of the account. @param takesEffectAt when the password does without an answer */
export function passwordWaitingMail(
  input: ToPerson & { setAt: Date; takesEffectAt: Date },
): RenderedEmail {
  return layOut({
    subject: 'Is this new password yours?',
    preheader: "It hasn't taken effect yet.",
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `On ${moment(input.setAt, input.zone)} someone chose a new password for your account, with a link that we had sent to another address of yours. It hasn't taken effect yet.`,
      "Please tell us whether it was you. If it was, the new password takes effect at once. If it wasn't, we delete it.",
    ],
    action: { label: 'Say yes or no', url: input.url },
    notes: [
      `Without an answer, it takes effect on ${moment(input.takesEffectAt, input.zone)}. Signing in with an old password that still works stops it.`,
      "Please don't forward this email: whoever has it can answer for you.",
    ],
    reason:
      "We send this email whenever a password is set from one of several addresses. It can't be switched off.",
  });
}

/** To the address that the link was sent to, where the password waits for want of a passkey. */
export function passwordWaitingHereMail(
  input: ToPerson & { setAt: Date; takesEffectAt: Date },
): RenderedEmail {
  return layOut({
    subject: 'A new password for your account is waiting',
    preheader: "It hasn't taken effect yet.",
    heading: 'A new password is waiting',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `On ${moment(input.setAt, input.zone)} someone chose a new password for your account, with a link that we had sent to this address. They did so on a device where you hadn't signed in, and your account asks for a passkey there. So the new password hasn't taken effect yet.`,
      "If it was you, enter a recovery code, or wait. If it wasn't you, sign in with your password or your passkey, and we delete the new one.",
    ],
    action: { label: 'Sign in', url: input.url },
    notes: [
      `Otherwise it takes effect on ${moment(input.takesEffectAt, input.zone)}, and from then on new devices don't need a passkey.`,
    ],
    reason: "We send this email whenever a new password has to wait. It can't be switched off.",
  });
}
