import { toasts } from '../ui/toast-store.ts';

/** The message of the last one that was refused. */
let refusal = 0;

/** Changes what this device keeps; where it refuses, being full perhaps, it says so. @returns whether it is done */
export async function changeDevice(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    toasts.dismiss(refusal);
    return true;
  } catch {
    refusal = toasts.failure('This device could not change what it keeps. Please try again.');
    return false;
  }
}
