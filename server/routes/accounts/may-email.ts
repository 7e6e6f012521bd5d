import type { AppContext } from '../../http/context.ts';

/** Beyond these the answer is the same, without an email: nobody learns what others have asked for. */
export async function mayEmail(c: AppContext, email: string): Promise<boolean> {
  const limits = c.get('limits');
  if (!(await limits.tryTake('linkEmail', `${email} ${c.get('client')}`)).isWithin) return false;
  if ((await limits.tryTake('linkEmailInAll', email)).isWithin) return true;
  return (await limits.tryTake('linkEmailSpare', email)).isWithin;
}
