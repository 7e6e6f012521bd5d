import type { AppContext } from '../../http/context.ts';

/** Beyond these the answer is the same, without an email: nobody learns what others have asked for. */
export async function mayEmail(c: AppContext, email: string): Promise<boolean> {
  const limits = c.get('limits');
  return (
    (await limits.isWithin('linkEmail', `${email} ${c.get('client')}`)) &&
    ((await limits.isWithin('linkEmailInAll', email)) ||
      (await limits.isWithin('linkEmailSpare', email)))
  );
}
