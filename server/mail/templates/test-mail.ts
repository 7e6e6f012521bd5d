import { layOut, type RenderedEmail } from './layout.ts';

/** What the operator sends to see whether emails arrive. */
export function testMail({ url }: { url: string }): RenderedEmail {
  return layOut({
    subject: 'A test of your time capsules',
    preheader: 'Emails arrive.',
    heading: 'Emails arrive',
    paragraphs: [
      'Whoever runs this server asked for this email, to see whether its emails arrive. They do.',
    ],
    action: { label: 'Go to the site', url },
    notes: ["If you don't know why you got it, you can delete it."],
    reason: "You're receiving this email because it was sent to your address as a test.",
  });
}
