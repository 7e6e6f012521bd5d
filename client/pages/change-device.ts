import { toasts } from '../ui/toast-store.ts';

/** Changes what this device keeps; where it refuses, being full perhaps, it says so. @returns whether it is done */
export async function changeDevice(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch {
    toasts.failure('This device could not change what it keeps. Please try again.');
    return false;
  }
}
