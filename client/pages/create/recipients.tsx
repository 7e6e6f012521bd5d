import { useId } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { FieldError } from '../../components/field.tsx';
import { Users, X } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import type { ChosenRecipient } from '../../db/tables.ts';
import styles from './recipients.module.css';

interface RecipientFieldProps {
  recipients: readonly ChosenRecipient[];
  disabled: boolean;
  error: string | undefined;
  onChoose: () => void;
  onRemove: (id: string) => void;
}

export function RecipientField(props: RecipientFieldProps) {
  const { recipients, disabled, error, onChoose, onRemove } = props;
  const id = useId();
  return (
    <fieldset className="stack gap-8 to-start narrows" disabled={disabled}>
      <legend className={`strong ${styles.label}`}>Recipient Emails</legend>
      {recipients.length > 0 && <RecipientChips recipients={recipients} onRemove={onRemove} />}
      <Button
        icon={Users}
        data-focus-home
        data-refused={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onClick={onChoose}
      >
        {recipients.length === 0 ? 'Select Recipients' : 'Change Recipients'}
      </Button>
      {error && <FieldError id={`${id}-error`} text={error} />}
    </fieldset>
  );
}

interface RecipientChipsProps {
  recipients: readonly ChosenRecipient[];
  onRemove: (id: string) => void;
}

/** The chosen people; the area scrolls when they are many. */
export function RecipientChips({ recipients, onRemove }: RecipientChipsProps) {
  const prefix = useId();
  return (
    <ul className={`cluster gap-8 ${styles.chips}`}>
      {recipients.map(({ id, name, email, avatar, isYou, isInvited, toInvite }) => (
        <li key={id} className={`row middle gap-8 outlined ${styles.chip}`}>
          <Avatar avatar={avatar} name={name} size={28} />
          <span className={`stack small breaks ${styles.chipWords}`}>
            <span className="strong">
              <bdi>{name}</bdi>
              {isYou && ' (You)'}
              {isInvited && !toInvite && ' (Invited)'}
            </span>
            {/* Two people may have the same name. */}
            <span className="quiet" id={`${prefix}-${id}`}>
              {email}
            </span>
          </span>
          <IconButton
            label={`Remove ${name}`}
            className={styles.remove}
            aria-describedby={`${prefix}-${id}`}
            onClick={() => onRemove(id)}
          >
            <X size={16} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
