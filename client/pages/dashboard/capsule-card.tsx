import type { ReactNode } from 'react';
import type { Capsule, CapsuleType } from '../../../shared/api/capsules.ts';
import { progressPercent } from '../../../shared/capsule-time.ts';
import { dayAt } from '../../../shared/day.ts';
import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import { Ellipsis, EyeOff, Paperclip, Trash, Undo } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Menu } from '../../components/menu.tsx';
import { useUserId } from '../../hooks/use-user-id.ts';
import { senderItems } from '../capsule/sender-items.tsx';
import type { CapsuleActions } from '../capsule/use-capsule-actions.ts';
import { fileCountText, fromNow, listText, longDay, waitText } from '../format.ts';
import styles from './capsule-list.module.css';

interface CapsuleCardProps {
  capsule: Capsule;
  /** The list this card is in. A letter to oneself is in both. */
  list: CapsuleType;
  /** It has opened for this person, who has not looked at it yet. */
  isReady: boolean;
  now: Date;
  onOpen: (id: string) => void;
  actions: CapsuleActions;
}

export function CapsuleCard(props: CapsuleCardProps) {
  const { capsule, list, isReady, now, onOpen, actions } = props;
  const { id, title, description, locked, unlockDate, mediaCount, hidden = false } = capsule;
  const percent = locked ? progressPercent(capsule, now) : 100;
  const userId = useUserId();
  const items =
    list === 'created'
      ? [erasing(capsule, actions)]
      : [hiding(capsule, hidden, actions), ...senderItems(capsule, userId, actions)];
  const [first] = items;
  const Mark = items.length === 1 && first?.icon;
  return (
    <article className={`stack sheet gap-12-16 holds ${styles.card}`}>
      <button
        type="button"
        className={styles.cover}
        aria-label={`View details of ${title}`}
        onClick={() => onOpen(id)}
      />
      <div>
        <meter
          className="visually-hidden"
          aria-label="Time passed"
          aria-valuetext={`${Math.floor(percent)}%, ${waitText(capsule, now)}`}
          max={100}
          value={Math.floor(percent)}
        >
          {Math.floor(percent)}%
        </meter>
        <CapsuleSeal capsule={capsule} ready={isReady} now={now} size={72} />
      </div>
      <div className={`narrows ${styles.words}`}>
        <h3 dir="auto">{title}</h3>
        <p className={`breaks quiet small two-lines ${styles.people}`}>
          <People capsule={capsule} list={list} />
        </p>
      </div>
      <div className={`quiet ${styles.more}`}>
        {first && Mark ? (
          <IconButton label={`${first.label} ${title}`} onClick={first.onSelect}>
            <Mark size={20} />
          </IconButton>
        ) : (
          <Menu label={`More about ${title}`} trigger={<Ellipsis size={20} />} items={items} />
        )}
      </div>
      <p className="breaks two-lines across">{description}</p>
      <div className={`cluster middle across ${styles.status}`}>
        <p className={`strong ${locked || isReady ? 'copper' : 'verdigris'}`}>
          <span aria-hidden="true">{isReady ? 'Ready to open' : when(capsule, now)}</span>
          <span className="visually-hidden">{waitText(capsule, now)}</span>
        </p>
        <time className="stamp quiet" dateTime={unlockDate}>
          {longDay(unlockDate)}
        </time>
        <FileCount count={mediaCount} />
      </div>
    </article>
  );
}

function erasing(capsule: Capsule, { erase }: CapsuleActions) {
  return {
    label: 'Delete',
    icon: Trash,
    onSelect: () => void erase(capsule),
  };
}

function hiding(capsule: Capsule, hidden: boolean, { hide }: CapsuleActions) {
  const Mark = hidden ? Undo : EyeOff;
  return {
    label: hidden ? 'Bring back' : 'Move out of sight',
    icon: Mark,
    onSelect: () => void hide(capsule, !hidden),
  };
}

/** 'In 18 years', 'Opening today' or 'Unlocked' */
function when(capsule: Capsule, now: Date): string {
  const today = dayAt(now, capsule.timeZone);
  if (!capsule.locked || capsule.dateToUnlock <= today) return waitText(capsule, now);
  const words = fromNow(capsule.dateToUnlock, today);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** 'To Grace and yourself' or 'From Ada' */
function People({ capsule, list }: Pick<CapsuleCardProps, 'capsule' | 'list'>): ReactNode {
  const userId = useUserId();
  const { senderId, senderName, recipients = [] } = capsule;
  if (list === 'received') return `From ${senderId === userId ? 'yourself' : senderName}`;
  const names = recipients.map((one) => (one.userId === userId ? 'yourself' : one.name));
  // Everybody it was for may be gone.
  return names.length === 0 ? '' : `To ${listText(names)}`;
}

function FileCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="quiet small inline-row gap-4">
      <Paperclip size={14} />
      {fileCountText(count)}
    </span>
  );
}
