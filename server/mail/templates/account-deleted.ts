import { dayAt } from '../../../shared/day.ts';
import { layOut, type RenderedEmail } from './layout.ts';
import { shortDay } from './plain.ts';

/** Names nobody: when it is sent, nothing is known of the account any more. */
export function accountDeletedMail({
  deletedAt,
  isOrdered,
  url,
}: {
  deletedAt: Date;
  /** By whoever runs the site, who announced it a week before. */
  isOrdered: boolean;
  url: string;
}): RenderedEmail {
  const day = shortDay(dayAt(deletedAt, 'UTC'));
  const byWhom = isOrdered
    ? 'by whoever runs this site, as they told you a week before'
    : 'by someone who was signed in to it and confirmed that it was them';
  return layOut({
    subject: 'Your account was deleted',
    preheader: 'This is the last email about it.',
    paragraphs: [
      `The account with this address was deleted on ${day}, ${byWhom}. Capsules sealed for others will still be delivered or were deleted, as they chose.`,
      "If you expected it, there is nothing to do. If you didn't, please write to whoever runs this site. We can't bring the account back, but they should know.",
    ],
    action: { label: 'Get help', url },
    notes: ['We have removed your address, and this is the last email about the account.'],
    reason: "We send this email when an account is deleted. It can't be switched off.",
  });
}
