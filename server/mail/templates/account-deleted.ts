import { layOut, type RenderedEmail } from './layout.ts';
import { moment } from './plain.ts';

/** Names nobody: when it is sent, nothing is known of the account any more. */
export function accountDeletedMail({
  deletedAt,
  url,
}: {
  deletedAt: Date;
  url: string;
}): RenderedEmail {
  return layOut({
    subject: 'Your account was deleted',
    preheader: 'This is the last email about it.',
    paragraphs: [
      `The account with this address was deleted on ${moment(deletedAt, null)}, by someone who was signed in and knew its password, or by whoever runs this site, who told you so a week before. Capsules sealed for others will still be delivered or were deleted, as they chose.`,
      "If you expected it, there is nothing to do. If you didn't, please write to whoever runs this site. We can't bring the account back, but they should know.",
    ],
    action: { label: 'Get help', url },
    notes: ['We have removed your address, and this is the last email about the account.'],
    reason: "We send this email when an account is deleted. It can't be switched off.",
  });
}
