import { layOut, type RenderedEmail } from './layout.ts';
import { greet } from './plain.ts';

export function keepsakeMail({
  name,
  url,
  turnOffUrl,
}: {
  name: string;
  url: string;
  turnOffUrl?: string | undefined;
}): RenderedEmail {
  return layOut({
    subject: 'Save a copy of your time capsules',
    preheader: 'You asked us to remind you once a year.',
    heading: 'A copy of your own',
    tone: 'verdigris',
    paragraphs: [
      `${greet('Hello', name)},`,
      'You asked us to remind you once a year to save a copy of your time capsules.',
      'It holds your letters, photos, videos and documents, as a page that opens without us and prints as a book. What is still sealed stays sealed.',
    ],
    action: { label: 'Save a copy', url },
    notes: ['Sign in, and press “Export as ZIP” under “Your data”.'],
    turnOffUrl,
    reason: "You're receiving this email because you asked for it on your profile.",
  });
}
