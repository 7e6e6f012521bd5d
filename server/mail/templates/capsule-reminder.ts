import { layOut, type RenderedEmail } from './layout.ts';
import { longDay, oneLine } from './plain.ts';

/** Once, a month or more after it opened, to a recipient who has not looked. */
export function capsuleReminderMail(capsule: {
  title: string;
  creatorName: string;
  /** The reader has sealed it for themself. */
  ownCapsule: boolean;
  dateToUnlock: string;
  url: string;
  turnOffUrl?: string | undefined;
}): RenderedEmail {
  const { ownCapsule } = capsule;
  const creator = oneLine(capsule.creatorName);
  return layOut({
    subject: 'A time capsule is open and unread',
    preheader: 'It opened a while ago.',
    heading: 'It is still there',
    tone: 'verdigris',
    paragraphs: [
      ownCapsule
        ? "The time capsule you sealed for yourself opened a while ago, and you haven't looked yet."
        : `The time capsule that ${creator} sealed for you opened a while ago, and you haven't looked yet.`,
    ],
    details: [
      { label: 'Title', value: oneLine(capsule.title) },
      { label: 'Opened on', value: longDay(capsule.dateToUnlock) },
    ],
    action: { label: 'Open the capsule', url: capsule.url },
    notes: ["It stays open, and there is no hurry. We won't remind you of it again."],
    turnOffUrl: capsule.turnOffUrl,
    reason: ownCapsule
      ? "You're receiving this email because you sealed this capsule for yourself and haven't looked since it opened."
      : `You're receiving this email because ${creator} addressed this capsule to you and you haven't looked since it opened.`,
  });
}
