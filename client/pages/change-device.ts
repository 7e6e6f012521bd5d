import { toasts } from '../components/toast.tsx';

/** Id of the toast of the last failure. */
let refusal = 0;

/**
 * Runs a change of the local database, and shows a toast if it fails. @returns whether it
 * succeeded
 */
export async function changeDevice(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    toasts.dismiss(refusal);
    return true;
  } catch {
    refusal = toasts.failure("We couldn't save that on this device. Please try again.");
    return false;
  }
}
