import type { Recipient } from '../../../shared/api/user.ts';
import { displayName, firstName } from '../format.ts';

type Addressee = Pick<Recipient, 'name'> & Partial<Recipient>;

/** How a letter to these people may begin: 'Dear Mia,', 'Dear Mia and Tom,', 'Dear me,'. */
export function salutation(recipients: readonly Addressee[]): string {
  const others = recipients.filter(({ isYou }) => !isYou);
  if (others.length === 0) return recipients.length > 0 ? 'Dear me,' : 'Dear you,';
  // Of an invited person we may know the address only.
  const isNameless = ({ isInvited, name, email = '' }: Addressee) =>
    isInvited && name === displayName({ name: '', email });
  if (others.some(isNameless)) return others.length > 1 ? 'Dear all,' : 'Dear you,';
  return `Dear ${others.length > 2 ? 'all' : others.map(firstName).join(' and ')},`;
}
