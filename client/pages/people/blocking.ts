import { unblock as unblockPerson } from '../../../shared/api/blocks.ts';
import { call } from '../../api/client.ts';
import { toasts } from '../../components/toast.tsx';
import { changeFailure } from '../change-failure.ts';
import { firstName } from '../format.ts';
import type { AskedPerson } from './asked.ts';

/** Says that a person is blocked. */
export function sayBlocked(person: AskedPerson): void {
  toasts.success(
    `You've blocked ${firstName(person)}. You can undo it under “Safety” on your profile.`,
  );
}

/** Unblocks a person, and says how it went. @returns whether they are unblocked */
export async function unblock(person: AskedPerson): Promise<boolean> {
  const name = firstName(person);
  try {
    await call(unblockPerson, { params: { userId: person.id } });
  } catch (error) {
    toasts.failure(changeFailure(error, `We couldn't unblock ${name}. Please try again.`));
    return false;
  }
  toasts.success(`${name} is unblocked. Anything that came meanwhile is on your dashboard.`);
  return true;
}
