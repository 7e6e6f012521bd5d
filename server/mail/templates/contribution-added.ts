import { layOut, type RenderedEmail } from './layout.ts';
import { greet, nameInSubject, oneLine } from './plain.ts';

/** To who asks others to add to a draft, once for each who does. It has nothing of what was added. */
export function contributionAddedMail(input: {
  name: string;
  /** Who has added, as they wrote it. */
  from: string;
  /** Of the draft. Empty while it has none. */
  title: string;
  url: string;
}): RenderedEmail {
  const from = oneLine(input.from);
  return layOut({
    subject: `${nameInSubject(input.from)} has added to your time capsule`,
    preheader: 'Nobody can read it before the day.',
    heading: `${nameInSubject(input.from)} has added something`,
    paragraphs: [
      `${greet('Hello', input.name)},`,
      "It's for the time capsule you're making. Nobody can read it before the day, not even you.",
    ],
    details: [
      { label: 'From', value: from },
      ...(input.title === '' ? [] : [{ label: 'Title', value: oneLine(input.title) }]),
    ],
    action: { label: 'Open your draft', url: input.url },
    reason:
      "You're receiving this email because you asked others to add something. To hear from nobody else, turn off the link in your draft.",
  });
}
