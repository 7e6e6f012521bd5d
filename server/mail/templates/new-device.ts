import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment } from './plain.ts';

export function newDeviceMail(
  input: ToPerson & {
    /** In words; null where they are not known, or the session has ended. */
    device: string | null;
    signedInAt: Date;
    /** Where they see their sessions. */
    listUrl: string;
  },
): RenderedEmail {
  const where = input.device ? `with ${input.device}, ` : '';
  return layOut({
    subject: 'New sign-in to your account',
    preheader: 'From a device where you had not signed in before.',
    heading: 'Somebody signed in on a new device',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `On ${moment(input.signedInAt, input.zone)}, somebody signed in to your account ${where}on a device where you hadn't signed in before.`,
      "If it was you, there's nothing to do. If it wasn't you, please set a new password, which signs out every device.",
    ],
    action: { label: 'Set a new password', url: input.url },
    aside: { label: 'See where you are signed in', url: input.listUrl },
    notes: [
      'A browser counts as new after its cookies were deleted, or in a private window. We send at most three such emails a day.',
    ],
    reason: "We send this email when somebody signs in on a new device. It can't be switched off.",
  });
}
