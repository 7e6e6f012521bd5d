import type { Recipient } from '../../../shared/api/user.ts';

/** How a letter to these people may begin: 'Dear Mia,', 'Dear Mia and Tom,', 'Dear me,'. */
export function salutation(recipients: readonly Pick<Recipient, 'name' | 'isYou'>[]): string {
  const others = recipients.filter(({ isYou }) => !isYou);
  if (others.length === 0) return recipients.length > 0 ? 'Dear me,' : 'Dear you,';
  return `Dear ${others.length > 2 ? 'all' : others.map(firstName).join(' and ')},`;
}

/** What a friend calls them: 'Mia' for 'Mia Becker'. */
export function firstName({ name }: Pick<Recipient, 'name'>): string {
  return name.trim().split(/\s+/, 1)[0] ?? name;
}

/** '84 words', '1 word', 'No letter yet'. */
export function letterText(message: string): string {
  const count = message.match(/\S+/g)?.length ?? 0;
  if (count === 0) return 'No letter yet';
  return count === 1 ? '1 word' : `${count} words`;
}
