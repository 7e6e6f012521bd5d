import { useRef } from 'react';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { BIN_DAYS } from '../../../shared/limits.ts';
import { isConnectionError } from '../../api/errors.ts';
import { confirm } from '../../components/confirm.tsx';
import { toasts } from '../../components/toast.tsx';
import { bringBack, eraseCapsule, hideCapsule } from '../../hooks/use-capsules.ts';
import { askToBlock, askToReport } from '../people/ask.tsx';
import type { AskedPerson, AskedReport } from '../people/people-dialogs.tsx';

export interface CapsuleActions {
  /** Asks, and deletes a capsule for everyone. @returns whether it is gone */
  erase: (capsule: Capsule) => Promise<boolean>;
  /** Moves a received capsule out of sight or brings it back. */
  hide: (capsule: Pick<Capsule, 'id' | 'title' | 'locked'>, hidden: boolean) => Promise<void>;
  /** Asks whether its sender is to be blocked. @returns whether they are */
  block: (sender: AskedPerson) => Promise<boolean>;
  /** Asks why it is reported, and may block its sender. @returns whether they are blocked */
  report: (about: AskedReport) => Promise<boolean>;
}

/** What can be done with a capsule, from its card and from its details. */
export function useCapsuleActions(refreshAll: () => Promise<unknown>): CapsuleActions {
  const failure = useRef(0);
  /** Makes a change, then fetches anew what is shown. @returns whether it is made; if not, it says why */
  const change = async (work: Promise<unknown>, whyNot: (error: unknown) => string) => {
    try {
      await work;
    } catch (error) {
      failure.current = toasts.failure(whyNot(error));
      return false;
    }
    toasts.dismiss(failure.current);
    await refreshAll();
    return true;
  };

  const erase: CapsuleActions['erase'] = async ({ id, title, senderEmail, recipientEmails }) => {
    const text = 'Are you sure you want to delete this capsule? This action cannot be undone.';
    const isForOthers = recipientEmails.some((email) => email !== senderEmail);
    const more = `It ${isForOthers ? 'disappears for everyone, and ' : ''}goes to your bin first. You can bring it back for ${BIN_DAYS} days.`;
    if (!(await confirm(`Delete “${title}”?`, text, { danger: true, more }))) return false;
    const failed = () => 'Failed to delete capsule. Please try again.';
    if (!(await change(eraseCapsule(id), failed))) return false;
    const undo = { label: 'Undo', run: () => restore({ id, title }) };
    toasts.success(`Capsule deleted successfully! It's in your bin for ${BIN_DAYS} days.`, undo);
    return true;
  };

  const restore = async ({ id, title }: Pick<Capsule, 'id' | 'title'>) => {
    const failed = failedTo(`bring “${title}” back`, 'Please look in your bin.');
    if (await change(bringBack(id), failed)) toasts.success(`“${title}” is back.`);
  };

  const hide: CapsuleActions['hide'] = async (capsule, hidden) => {
    const { id, title, locked } = capsule;
    const act = hidden ? `move “${title}” out of sight` : `bring “${title}” back`;
    if (!(await change(hideCapsule(id, hidden), failedTo(act, 'Please try again.')))) return;
    if (!hidden) return void toasts.success(`“${title}” is back.`);
    const undo = { label: 'Undo', run: () => hide(capsule, false) };
    const still = locked ? ' It still opens on its day.' : '';
    toasts.success(`“${title}” is out of sight.${still}`, undo);
  };

  const afterBlocking = async (isBlocked: boolean) => {
    if (isBlocked) await refreshAll();
    return isBlocked;
  };
  const block: CapsuleActions['block'] = async (sender) => afterBlocking(await askToBlock(sender));
  const report: CapsuleActions['report'] = async (about) => afterBlocking(await askToReport(about));

  return { erase, hide, block, report };
}

const failedTo = (act: string, advice: string) => (error: unknown) =>
  isConnectionError(error) ? `You need a connection to ${act}.` : `We couldn't ${act}. ${advice}`;
