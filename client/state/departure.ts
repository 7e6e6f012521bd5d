import type { BodyInputOf } from '../../shared/api/endpoint.ts';
import { deleteAccount } from '../../shared/api/user.ts';
import { call } from '../http/call.ts';
import { cancelCopies } from './copying.ts';
import { forgetPerson } from './forget-person.ts';
import { pauseSending, sendNow } from './outgoing.ts';

/**
 * Ends the account for good, then forgets the person on this device.
 * @throws {CallError} with `errors` by field when it was refused; nothing has changed then
 */
export async function departForGood(body: BodyInputOf<typeof deleteAccount>): Promise<void> {
  // What goes with the account must not still leave this page or enter its database.
  await pauseSending();
  try {
    await call(deleteAccount, { body });
  } catch (error) {
    sendNow();
    throw error;
  }
  cancelCopies(() => true);
  await forgetPerson();
}
