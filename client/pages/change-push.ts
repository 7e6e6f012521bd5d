import { toasts } from '../components/toast.tsx';
import { turnOffPush, turnOnPush } from '../hooks/push.ts';
import { changeFailure } from './change-failure.ts';

/** Only the person can change it, where their browser keeps what sites may do. */
export const PUSH_BLOCKED =
  "Your browser doesn't let us show notifications. You can allow them in its settings for this site.";

/** Turns push on or off in this browser, and says when that fails. */
export async function changePush(userId: string, isOn: boolean): Promise<void> {
  try {
    await (isOn ? turnOnPush(userId) : turnOffPush());
  } catch (error) {
    // The browser itself is silent by now, and the server learns it from its push service.
    if (!isOn) return;
    toasts.failure(changeFailure(error, "We couldn't turn this on. Please try again."));
  }
}
