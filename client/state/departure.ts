import type { BodyInputOf } from '../../shared/api/endpoint.ts';
import { deleteAccount } from '../../shared/api/user.ts';
import { call } from '../http/call.ts';
import { forgetPerson } from './forget-person.ts';

/**
 * Ends the account for good, then forgets the person on this device.
 * @throws {CallError} with `errors` by field when it was refused; nothing has changed then
 */
export async function departForGood(body: BodyInputOf<typeof deleteAccount>): Promise<void> {
  await call(deleteAccount, { body });
  await forgetPerson();
}
