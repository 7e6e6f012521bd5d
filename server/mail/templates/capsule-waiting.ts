import { layOut, type RenderedEmail } from './layout.ts';
import { longDay, nameInSubject, oneLine } from './plain.ts';

export interface CapsuleWaiting {
  title: string;
  creatorName: string;
  /** The reader sealed it, for themself. */
  ownCapsule: boolean;
  dateToUnlock: string;
  url: string;
  /** Of the day for a calendar. */
  calendarUrl: string;
  turnOffUrl?: string;
}

export function capsuleWaitingMail(capsule: CapsuleWaiting): RenderedEmail {
  const creator = oneLine(capsule.creatorName);
  const day = longDay(capsule.dateToUnlock);
  return layOut({
    subject: capsule.ownCapsule
      ? 'Your capsule is sealed and waiting for you'
      : `${nameInSubject(capsule.creatorName)} sealed a time capsule for you`,
    preheader: `It opens on ${day}.`,
    heading: 'A capsule is waiting for you',
    paragraphs: [
      capsule.ownCapsule
        ? 'You sealed a time capsule for your future self. Until its day nobody can look inside, not even you.'
        : `${creator} has sealed a time capsule and addressed it to you. Until its day nobody can look inside, not even ${creator}.`,
    ],
    details: [
      { label: 'Title', value: oneLine(capsule.title) },
      { label: 'From', value: capsule.ownCapsule ? 'You' : creator },
      { label: 'Opens on', value: day },
    ],
    action: { label: 'See it waiting', url: capsule.url },
    aside: { label: 'Add the day to your calendar', url: capsule.calendarUrl },
    notes: ["We'll write to you again on the day it opens."],
    turnOffUrl: capsule.turnOffUrl,
    reason: capsule.ownCapsule
      ? "You're receiving this email because you chose to be notified when you sealed it."
      : `You're receiving this email because ${creator} addressed it to you.`,
  });
}
