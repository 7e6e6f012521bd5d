import { toasts } from '../components/toast.tsx';

/** Sends a link through the device's share sheet; where that can't be had, it is copied. */
export async function tell(text: string, url: string): Promise<void> {
  try {
    if (navigator.share) return await navigator.share({ text, url });
  } catch (error) {
    // Whoever closes the share sheet has changed their mind.
    if (Object(error).name === 'AbortError') return;
  }
  try {
    await navigator.clipboard.writeText(`${text}\n${url}`.trim());
    toasts.success('Link copied.');
  } catch {
    toasts.failure(`We couldn't copy the link: ${url}`);
  }
}

/** Copies what somebody wrote. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.success('Copied.');
  } catch {
    toasts.failure("We couldn't copy it. Please select the text and copy it yourself.");
  }
}

/** With an invitation link that is handed over. */
export const CREATE_YOUR_ACCOUNT =
  "I've sealed a time capsule for you. Create your account here to receive it.";
