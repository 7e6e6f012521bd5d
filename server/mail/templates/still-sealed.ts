import { layOut, type RenderedEmail } from './layout.ts';
import { greet, longDay } from './plain.ts';

/** "One more ring": once a year, for who asked for it. @param capsules at least one */
export function stillSealedMail({
  name,
  capsules,
  nextDay,
  url,
  turnOffUrl,
}: {
  name: string;
  capsules: number;
  /** Of the one that opens next. */
  nextDay: string;
  url: string;
  turnOffUrl?: string | undefined;
}): RenderedEmail {
  const isOne = capsules === 1;
  return layOut({
    subject: isOne ? 'Your time capsule: one more ring' : 'Your time capsules: one more ring',
    preheader: 'Another year, and still sealed.',
    heading: 'One more ring',
    paragraphs: [
      `${greet('Hello', name)},`,
      isOne
        ? 'Another year has passed, and the capsule you sealed is still closed.'
        : `Another year has passed, and the ${capsules} capsules you sealed are still closed.`,
    ],
    details: [{ label: isOne ? 'It opens on' : 'The next one opens on', value: longDay(nextDay) }],
    action: { label: isOne ? 'See its rings' : 'See their rings', url },
    notes: ['There is nothing to do.'],
    turnOffUrl,
    reason: "You're receiving this email because you asked for it on your profile.",
  });
}
