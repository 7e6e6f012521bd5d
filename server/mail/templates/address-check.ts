import { layOut, type RenderedEmail } from './layout.ts';
import { greet, oneLine } from './plain.ts';

/** Once a year, for who has a sealed capsule that opens soon. */
export function addressCheckMail({
  name,
  email,
  isElsewhere = false,
  url,
  changeUrl,
  turnOffUrl,
}: {
  name: string;
  /** The main address. */
  email: string;
  /** This goes to the second address. */
  isElsewhere?: boolean;
  url: string;
  changeUrl: string;
  turnOffUrl?: string | undefined;
}): RenderedEmail {
  return layOut({
    subject: 'Is this still your address?',
    preheader: 'A sealed capsule is waiting, and we would like to reach you.',
    heading: 'Is this still you?',
    paragraphs: [
      `${greet('Hello', name)},`,
      `A sealed time capsule is waiting for its day, and we'll write to ${oneLine(email)} when it opens. Once a year we ask whether that's still your address.`,
      ...(isElsewhere
        ? [
            "This comes to your second address, because our emails to that one came back or weren't answered.",
          ]
        : []),
    ],
    action: { label: "Yes, it's still mine", url },
    aside: { label: 'Use another address', url: changeUrl },
    notes: ["If you don't answer, nothing changes. We'll keep writing to it."],
    turnOffUrl,
    reason: "You're receiving this email because you have an account with a sealed capsule.",
  });
}
