import { type RenderedMail, renderLetter } from './letter.ts';

/** What the operator sends to see whether emails arrive. */
export function testMail({ url }: { url: string }): RenderedMail {
  return renderLetter({
    subject: 'A test of your time capsules',
    preheader: 'Emails arrive.',
    heading: 'Emails arrive',
    tone: 'copper',
    paragraphs: [
      'Whoever runs this server asked for this email, to see whether its emails arrive. They do.',
    ],
    action: { label: 'Go to the site', url },
    notes: ["If you don't know why you got it, you can delete it."],
    reason: "You're receiving this email because it was sent to your address as a test.",
  });
}
