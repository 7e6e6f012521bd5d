import { type RenderedMail, renderLetter } from './letter.ts';
import { longDay, oneLine } from './plain.ts';

/** Once, a month after it opened, to a recipient who has not looked. */
export function capsuleReminderMail({
  title,
  creatorName,
  ownCapsule,
  dateToUnlock,
  url,
  turnOffUrl,
}: {
  title: string;
  creatorName: string;
  /** The reader has sealed it for themself. */
  ownCapsule: boolean;
  dateToUnlock: string;
  url: string;
  turnOffUrl?: string | undefined;
}): RenderedMail {
  const creator = oneLine(creatorName);
  return renderLetter({
    subject: 'A time capsule is open and unread',
    preheader: 'It opened a month ago.',
    heading: 'It is still there',
    tone: 'verdigris',
    paragraphs: [
      ownCapsule
        ? "The time capsule you sealed for yourself opened a month ago, and you haven't looked yet."
        : `The time capsule that ${creator} sealed for you opened a month ago, and you haven't looked yet.`,
    ],
    details: [
      { label: 'Title', value: oneLine(title) },
      { label: 'Opened on', value: longDay(dateToUnlock) },
    ],
    action: { label: 'Open the capsule', url },
    notes: ["It stays open, and there is no hurry. We won't remind you of it again."],
    turnOffUrl,
    reason: "You're receiving this email because it is addressed to you.",
  });
}
