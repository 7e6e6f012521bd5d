import { layOut, type RenderedEmail, type ToPerson } from './layout.ts';
import { greet, moment } from './plain.ts';

/** What an operator has decided about an account, a week before it is done. */
export function deletionAnnouncedMail(
  input: ToPerson & {
    dueAt: Date;
    /** Whether capsules for others are delivered; otherwise they are deleted as well. */
    isDelivered: boolean;
    /** Not while they are suspended. */
    canSignIn: boolean;
    /** Null where the site has none. */
    contact: string | null;
  },
): RenderedEmail {
  const when = moment(input.dueAt, input.zone);
  const whom = input.contact ?? 'whoever runs this site';
  return layOut({
    subject: 'Your account will be deleted',
    preheader: `On ${when}.`,
    paragraphs: [
      `${greet('Hello', input.name)},`,
      `Whoever runs this site will delete your account on ${when}. ${
        input.isDelivered
          ? 'What you have sealed for others will still be delivered.'
          : 'What you have sealed, for yourself or for others, will be deleted with it.'
      }`,
      input.canSignIn
        ? 'Until then you can sign in and export everything that is yours, under “Safety” on your profile.'
        : `You can't sign in until then, because your account is suspended. If you want what is yours, please write to ${whom}.`,
    ],
    action: input.canSignIn
      ? { label: 'Go to your data', url: input.url }
      : { label: 'Get help', url: input.url },
    notes: [`If you think this is a mistake, please write to ${whom} before that day.`],
    reason: "We send this email before an account is deleted. It can't be switched off.",
  });
}
