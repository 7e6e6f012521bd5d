import type { BodyInputOf } from '../../shared/api/endpoint.ts';
import { deleteAccount } from '../../shared/api/user.ts';
import { call } from '../http/call.ts';
import { CallError, isConnectionError } from '../http/call-error.ts';
import { identify } from '../http/identify.ts';
import { cancelCopies } from './copying.ts';
import { forgetPerson } from './forget-person.ts';
import { sendNow, whilePaused } from './outgoing.ts';

/**
 * Ends the account for good, then forgets the person on this device.
 * @throws {CallError} with `errors` by field when it was refused; nothing has changed then
 */
export async function departForGood(body: BodyInputOf<typeof deleteAccount>): Promise<void> {
  try {
    // What goes with the account must not still leave this device or enter its database.
    await whilePaused(async () => {
      // Whose session is over already would take that for their account's end below.
      await identify();
      await call(deleteAccount, { body }).catch(passUnheard);
      cancelCopies(() => true);
      await forgetPerson();
    });
  } catch (error) {
    sendNow();
    throw error;
  }
}

/** The server may still be at it when the line is gone. */
const ASKED_AT_MS = [0, 1_000, 3_000];

/** An answer that was lost: if the server knows nobody any more, it has done what it was asked for. */
async function passUnheard(error: unknown): Promise<void> {
  if (!isConnectionError(error)) throw error;
  for (const pause of ASKED_AT_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      await identify();
    } catch (answer) {
      if (answer instanceof CallError && answer.status === 401) return;
    }
  }
  throw error;
}
