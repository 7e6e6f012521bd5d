import type { Capsule } from '../../../shared/api/capsules.ts';
import { Ban, Flag } from '../../components/icon.tsx';
import type { MenuItem } from '../../components/menu.tsx';
import { displayName, firstName } from '../format.ts';
import type { CapsuleActions } from './use-capsule-actions.ts';

/** What can be done about the sender of a received capsule: nothing about oneself. */
export function senderItems(
  capsule: Capsule,
  userId: string | null,
  { block, report }: Pick<CapsuleActions, 'block' | 'report'>,
): MenuItem[] {
  const { id, title, locked, senderId, senderName, senderEmail } = capsule;
  if (senderId === userId) return [];
  const name = displayName({ name: senderName, email: senderEmail });
  // Somebody who has deleted their account can't be blocked.
  const person = senderId ? { id: senderId, name } : null;
  const reporting = {
    label: 'Report',
    icon: Flag,
    onSelect: () => void report({ capsule: { id, title, locked }, person }),
  };
  if (!person) return [reporting];
  const blocking = {
    label: `Block ${firstName(person)}`,
    icon: Ban,
    onSelect: () => void block(person),
  };
  return [blocking, reporting];
}
