import { layOut, type RenderedEmail } from './layout.ts';
import { greet, nameInSubject, oneLine, shortDay } from './plain.ts';

export interface InvitationMail {
  /** What the inviter calls the reader. */
  name: string | null;
  inviterName: string;
  /** Of the capsule that the inviter has sealed for the reader. Null while there is none. */
  dateToUnlock: string | null;
  url: string;
  refuseUrl?: string;
}

export function invitationMail(invitation: InvitationMail): RenderedEmail {
  const inviter = oneLine(invitation.inviterName);
  return layOut({
    subject: `${nameInSubject(invitation.inviterName)} has a time capsule for you`,
    preheader: 'A letter that waits for its day.',
    heading: invitation.name === null ? "You're invited" : greet('Hello', invitation.name),
    paragraphs: [
      invitation.dateToUnlock === null
        ? `${inviter} would like to send you a time capsule: a letter, perhaps with photos or videos, sealed until the day they pick. Until then nobody can look inside, not even the person who wrote it.`
        : `${inviter} has sealed a time capsule for you. It opens on ${shortDay(invitation.dateToUnlock)}. Until then nobody can look inside, not even ${inviter}.`,
      'Choose a name and a password, and whatever is addressed to you will be there, waiting for its day.',
    ],
    action: { label: 'Accept the invitation', url: invitation.url },
    notes: [
      // INVITATION_LINK_DAYS, in words.
      "There is no hurry. The link works for a year, and we'll write to you again on the day a capsule for you opens.",
    ],
    aside: refusal(invitation.refuseUrl),
    reason: `You're receiving this email because ${inviter} asked us to invite you. If you do nothing, you'll hear from us only when a capsule for you opens.`,
  });
}

/** How somebody who was invited comes to a link without an inviter's name. */
const WHY = {
  password: {
    paragraph:
      "You asked for a new password, but there's no account with this address yet. Someone has invited you, so a time capsule may be there for you.",
    note: "The link works for a year. If you didn't ask for this, you don't need to do anything.",
    reason:
      "You're receiving this email because someone asked to reset the password for this address.",
  },
  operator: {
    paragraph:
      'Whoever runs this site has let you in. Someone has invited you, so a time capsule may be there for you.',
    note: 'There is no hurry. The link works for a year.',
    reason: "You're receiving this email because whoever runs this site has invited this address.",
  },
};

/** To somebody who was invited and asks for a password without an account, or whom an operator lets in. */
export function invitationAgainMail(
  input: { url: string; refuseUrl?: string; whomToAsk?: string },
  why: keyof typeof WHY,
): RenderedEmail {
  const { whomToAsk } = input;
  const { paragraph, note, reason } = WHY[why];
  return layOut({
    subject: whomToAsk ? 'How to get an account' : 'Your link to create an account',
    preheader: 'Someone has invited you, and a time capsule may be there for you.',
    heading: 'Hello',
    paragraphs: [
      paragraph,
      whomToAsk ?? 'Choose a name and a password, and whatever is addressed to you will be there.',
    ],
    action: { label: whomToAsk ? SEE_INVITATION : 'Create your account', url: input.url },
    // INVITATION_LINK_DAYS, in words.
    notes: [note],
    aside: refusal(input.refuseUrl),
    reason,
  });
}

/** Where the page behind the link makes no account. */
export const SEE_INVITATION = 'See your invitation';

/** The link with which an invited person ends it. */
export function refusal(url: string | undefined) {
  return url === undefined ? undefined : { label: 'No, thank you. Remove my address', url };
}
