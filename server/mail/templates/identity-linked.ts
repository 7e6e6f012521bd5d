import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment } from './plain.ts';

export function identityLinkedMail(
  input: ToPerson & {
    /** What people call the identity provider. */
    provider: string;
    linkedAt: Date;
    /** Until when the link works. */
    until: Date;
    listUrl: string;
  },
): RenderedEmail {
  const { provider } = input;
  return layOut({
    subject: 'Another way to sign in was added to your account',
    preheader: 'If it was you, there is nothing to do.',
    heading: 'Another way to sign in',
    tone: 'copper',
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `On ${moment(input.linkedAt, input.zone)}, an account at ${provider} was linked to yours. Whoever has it can sign in without your password.`,
      "If it was you, there's nothing to do. If it wasn't you, unlink it, and then choose a new password.",
    ],
    action: { label: 'Unlink it', url: input.url },
    aside: { label: "See where you're signed in", url: input.listUrl },
    notes: [
      `The link works until ${moment(input.until, input.zone)}. It signs out every device. Don't forward this email: whoever has the link can use it.`,
    ],
    reason: "We send this email when another way to sign in is added. It can't be switched off.",
  });
}
