import { layOut, type RenderedEmail } from './layout.ts';
import { greet, oneLine } from './plain.ts';

/** Once a year, for whoever waits for a sealed capsule. */
export function addressCheckMail(mail: {
  name: string;
  /** The main address. */
  email: string;
  /** How many are sealed and wait for their day. At least one. */
  capsules: number;
  /** This goes to the second address. */
  isElsewhere?: boolean;
  url: string;
  changeUrl: string;
  turnOffUrl?: string | undefined;
}): RenderedEmail {
  const { email, capsules, isElsewhere = false } = mail;
  const waiting =
    capsules === 1
      ? `One time capsule is waiting for you. We'll write to ${oneLine(email)} on the day it opens.`
      : `${capsules} time capsules are waiting for you. We'll write to ${oneLine(email)} on the days they open.`;
  return layOut({
    subject: 'Is this still you?',
    preheader: "Once a year, we make sure that we'll reach you on the day.",
    heading: 'Is this still you?',
    paragraphs: [
      `${greet('Hello', mail.name)},`,
      `${waiting} Once a year we ask whether that's still your address.`,
      ...(isElsewhere
        ? ['This comes to your second address, because our emails to that one came back.']
        : []),
    ],
    action: { label: "Yes, it's still mine", url: mail.url },
    aside: { label: 'Use another address', url: mail.changeUrl },
    notes: ["If you don't answer, nothing changes. We'll keep writing to it."],
    turnOffUrl: mail.turnOffUrl,
    reason: "You're receiving this email because you have an account with a sealed capsule.",
  });
}
