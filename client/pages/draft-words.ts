import { whereSaved } from '../db/receive-draft.ts';
import type { DraftRow } from '../db/tables.ts';
import { dayAndTimeText } from './format.ts';

/* Where a draft is, in words. */

/** What becomes of drafts unless the person chooses otherwise. */
export const DRAFTS_FOLLOW =
  'Drafts are saved to your account, so you can go on elsewhere. Whoever runs this server could read them.';

interface Saved {
  draft: DraftRow;
  savedAt: number;
  /** Files of which the account lacks bytes. */
  missingFiles: number;
  isOnline: boolean;
}

/** 'Saved to your account 14:03', or where else and why. */
export function savedText(saved: Saved, now: Date): string {
  const { draft, savedAt, missingFiles, isOnline } = saved;
  const when = dayAndTimeText(savedAt, now);
  if (whereSaved(draft) === 'account') {
    const there = `Saved to your account ${when}`;
    if (missingFiles === 0) return there;
    return `${there}. ${missingFiles === 1 ? "1 file isn't" : `${missingFiles} files aren't`} there yet.`;
  }
  const here = `Saved on this device ${when}`;
  if (draft.onlyHere) return here;
  const refusal = draft.account?.refusal;
  if (refusal) return `${here}. It's not in your account. ${refusal}`;
  return isOnline ? here : `${here}. It goes to your account once there's a connection.`;
}

/** Where a draft of a list was last written, and when. */
export function writtenText(draft: DraftRow, now: Date): string {
  const { updatedAt, onlyHere, account } = draft;
  const when = dayAndTimeText(updatedAt, now);
  if (onlyHere) return `Only on this device, ${when}`;
  if (whereSaved(draft) === 'device') return `Saved on this device ${when}`;
  if (account?.writtenOn === undefined) return `Saved to your account ${when}`;
  return `Written on ${account.writtenOn}, ${when}`;
}
