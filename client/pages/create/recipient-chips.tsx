import { useId } from 'react';
import type { Recipient } from '../../../shared/api/user.ts';
import { Avatar } from '../../components/avatar.tsx';
import { X } from '../../components/icon.tsx';
import styles from './recipient-chips.module.css';

interface RecipientChipsProps {
  recipients: readonly Recipient[];
  onRemove: (id: string) => void;
}

/** The chosen people; the area scrolls when they are many. */
export function RecipientChips({ recipients, onRemove }: RecipientChipsProps) {
  const prefix = useId();
  return (
    <ul className={styles.chips}>
      {recipients.map(({ id, name, email, avatar, isYou }) => (
        <li key={id} className={styles.chip}>
          <Avatar avatar={avatar} name={name} size={28} />
          <span className={styles.words}>
            <span className={styles.name}>
              <bdi>{name}</bdi>
              {isYou && ' (You)'}
            </span>
            {/* Two people may have one name. */}
            <span className={styles.email} id={`${prefix}-${id}`}>
              {email}
            </span>
          </span>
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove ${name}`}
            aria-describedby={`${prefix}-${id}`}
            onClick={() => onRemove(id)}
          >
            <X size={16} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
