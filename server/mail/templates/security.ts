import { BIN_DAYS } from '../../../shared/limits.ts';
import { layOut, type RenderedEmail } from './layout.ts';
import { greet, oneLine } from './plain.ts';

/** What an email about somebody's account says. Moments are in the reader's words. */
export interface SecurityWords {
  subject: string;
  happened: string;
  advice: string;
  /** On its button. */
  label: string;
}

export interface SecurityLinks {
  /** Where the button leads. */
  url: string;
  /** Until when it works. Whoever has such a link can use it. */
  until?: string | undefined;
  aside?: { label: string; url: string };
}

/** @param name null where nothing is known of the account any more */
export function securityMail(
  name: string | null,
  { subject, happened, advice, label }: SecurityWords,
  { url, until, aside }: SecurityLinks,
): RenderedEmail {
  return layOut({
    subject,
    preheader: happened,
    paragraphs: [...(name === null ? [] : [`${greet('Hello', name)},`]), happened, advice],
    action: { label, url },
    aside,
    notes: until
      ? [
          `The link works until ${until}. Please don't forward this email: whoever has it can use the link.`,
        ]
      : [],
    reason: "We send this email to keep your account safe. It can't be switched off.",
  });
}

const SET_PASSWORD = 'Set a new password';
const GET_HELP = 'Get help';

/** @param isTakenOff the address that is told doesn't belong to the account any more */
export const passwordChanged = (on: string, isTakenOff: boolean): SecurityWords => ({
  subject: 'Your password was changed',
  happened: `The password of your account was changed on ${on}, and every device was signed out. Passkeys, recovery codes and linked sign-ins added in the seven days before were removed, in case somebody else had added them.`,
  advice: isTakenOff
    ? "If it was you, all is well. This address doesn't belong to the account any more. If you want it back, please add it again when you've signed in. If it wasn't you, set a new password with the main address."
    : "If it was you, all is well. If it wasn't you, please set a new password right away.",
  label: SET_PASSWORD,
});

export const passwordGuessed = (on: string): SecurityWords => ({
  subject: 'Ten wrong passwords in your account',
  happened: `On a device that was signed in to your account, a wrong password or passkey was tried ten times within an hour, the last time on ${on}. We've signed that device out. Nothing was changed.`,
  advice:
    "If it was you, you can just sign in again. If it wasn't you, somebody has been on a device of yours. Please set a new password, which signs out every device.",
  label: SET_PASSWORD,
});

/** @param device in words; null where they are not known, or the session has ended */
export const newDevice = (on: string, device: string | null): SecurityWords => ({
  subject: 'New sign-in to your account',
  happened: `On ${on}, somebody signed in to your account ${device ? `with ${device}, ` : ''}on a device that is new to us. A browser also counts as new in a private window, and after its cookies were deleted or your password changed.`,
  advice:
    "If it was you, there's nothing to do. If it wasn't you, please set a new password, which signs out every device.",
  label: SET_PASSWORD,
});

/** @param device with what it was added, in words; null where that is not known */
export const passkeyAdded = (on: string, device: string | null): SecurityWords => ({
  subject: 'A passkey was added to your account',
  happened: `On ${on}, a passkey was added to your account${device ? `, with ${device}` : ''}. Whoever has it can sign in without your password.`,
  advice:
    "If it was you, there's nothing to do. If it wasn't you, remove the passkey, which signs out every device, and then set a new password.",
  label: 'Remove the passkey',
});

export const identityLinked = (on: string, provider: string): SecurityWords => ({
  subject: 'Another way to sign in was added to your account',
  happened: `On ${on}, an account at ${provider} was linked to yours. Whoever has it can sign in without your password.`,
  advice:
    "If it was you, there's nothing to do. If it wasn't you, unlink it, which signs out every device, and then set a new password.",
  label: 'Unlink it',
});

/** @param isOn whether new devices need a passkey now */
export const passkeyChoice = (on: string, isOn: boolean): SecurityWords => ({
  subject: isOn
    ? 'Your account asks for a passkey on new devices'
    : "Your account doesn't ask for a passkey on new devices any more",
  happened: `On ${on}, “Ask for a passkey on new devices” was turned ${isOn ? 'on' : 'off'} for your account.`,
  advice: isOn
    ? "If it was you, there's nothing to do. If it wasn't you, set a new password within seven days. That turns it off again, and removes new passkeys."
    : "It also ends when the last passkey is removed, or when a new password takes effect that had to wait. If that wasn't you, set a new password now, and then look at your addresses and passkeys.",
  label: SET_PASSWORD,
});

/**
 * The new address is not named: the one before may be somebody else's by now. @param what has changed
 * @param isInTime whether it can still be undone @param whom to write to @param passwordsOff nobody
 * signs in by one
 */
export const addressChanged = (
  subject: string,
  what: string,
  on: string,
  isInTime: boolean,
  whom: string,
  passwordsOff: boolean,
): SecurityWords => ({
  subject,
  happened: `${what} on ${on}. If it was you, all is well.`,
  advice: isInTime
    ? `If it wasn't you, undo it. You'll get your addresses back, and every device will be signed out.${passwordsOff ? '' : " Your password and recovery codes will stop working, and we'll email you a link to choose a new password."}`
    : `We couldn't reach you any sooner, and it's too late to undo it by a link. If it wasn't you, please write to ${whom}.`,
  label: isInTime ? 'Undo the change' : GET_HELP,
});

/** To every address of an account whose owner says they can't read any of them. */
export const addressToChange = (subject: string, what: string, until: string): SecurityWords => ({
  subject,
  happened: `${what}. Someone told whoever runs this site that they are you, and that they can't read your email any more.`,
  advice: `If it was you, you don't need to do anything. If you can read this and didn't ask, please stop it before ${until}.`,
  label: 'Stop the change',
});

/** @param isAsked whether this address has a say in a new password @param whom to write to */
export const changeUndone = (on: string, isAsked: boolean, whom: string): SecurityWords => ({
  subject: 'A change of your addresses was undone',
  happened: `On ${on} someone undid a change of the addresses of your account, with a link that we had sent to an earlier one. Every device is signed out, and the password no longer works.`,
  advice: `If it was you, all is well. If it wasn't, please write to ${whom}.${isAsked ? " Before a new password takes effect, we'll ask you here, and you can say no." : ''}`,
  label: GET_HELP,
});

/** To the other addresses of the account. @param due when the password takes effect without an answer */
export const passwordWaiting = (on: string, due: string): SecurityWords => ({
  subject: 'Is this new password yours?',
  happened: `On ${on} someone chose a new password for your account, with a link that we had sent to another address of yours. It hasn't taken effect yet.`,
  advice: `Please tell us whether it was you. If it was, the new password takes effect at once. If it wasn't, we delete it. Without an answer, it takes effect on ${due}. Signing in with an old password that still works stops it.`,
  label: 'Say yes or no',
});

/** To the address that the link was sent to, where the password waits for want of a passkey. */
export const passwordWaitingHere = (on: string, due: string): SecurityWords => ({
  subject: 'A new password for your account is waiting',
  happened: `On ${on} someone chose a new password for your account, with a link that we had sent to this address. They did so on a device where you hadn't signed in, and your account asks for a passkey there. So the new password hasn't taken effect yet.`,
  advice: `If it was you, enter a recovery code, or wait. If it wasn't you, sign in with your password or your passkey, and we delete the new one. Otherwise it takes effect on ${due}, and from then on new devices don't need a passkey.`,
  label: 'Sign in',
});

/** To every address of its creator: whoever deleted it was signed in, and need not have known the password. */
export const capsuleDeleted = (title: string, on: string): SecurityWords => ({
  subject: 'A capsule of yours was deleted',
  happened: `“${oneLine(title)}” was deleted on ${on}, by someone who was signed in to your account. It's in your bin for ${BIN_DAYS} days. Then it's gone for good.`,
  advice:
    "If it was you, there is nothing to do. If you've changed your mind, bring it back. It will be as it was, for everyone it's addressed to. If it wasn't you, set a new password as well, which signs out every device.",
  label: 'Bring it back',
});

/**
 * What an operator has decided about an account, a week before it is done. @param isDelivered whether
 * capsules for others are; otherwise they are deleted as well @param whom to write to
 */
export const deletionAnnounced = (
  due: string,
  order: { isDelivered: boolean; canSignIn: boolean; whom: string },
): SecurityWords => {
  const { whom } = order;
  const left = order.isDelivered
    ? 'What you have sealed for others will still be delivered.'
    : 'What you have sealed, for yourself or for others, will be deleted with it.';
  const way = order.canSignIn
    ? 'Until then you can sign in and export everything that is yours, under “Safety” on your profile.'
    : "You can't sign in until then, because your account is suspended.";
  return {
    subject: 'Your account will be deleted',
    happened: `Whoever runs this site will delete your account on ${due}. ${left}`,
    advice: `${way} If you ${order.canSignIn ? '' : 'want what is yours, or '}think this is a mistake, please write to ${whom} before that day.`,
    label: order.canSignIn ? 'Go to your data' : GET_HELP,
  };
};

/** @param isOrdered by whoever runs the site, who announced it a week before @param whom to write to */
export const accountDeleted = (on: string, isOrdered: boolean, whom: string): SecurityWords => ({
  subject: 'Your account was deleted',
  happened: `The account with this address was deleted on ${on}, ${isOrdered ? 'by whoever runs this site, as they told you a week before' : 'by someone who was signed in to it and confirmed that it was them'}. Whoever deleted it chose whether any capsules sealed for others will still be delivered.`,
  advice: `If you expected it, there is nothing to do. If you didn't, please write to ${whom}. We can't bring the account back, but they should know. We have removed your address, and this is the last email about the account.`,
  label: GET_HELP,
});
