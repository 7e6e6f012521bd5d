import { useId, useRef } from 'react';
import type { Recipient } from '../../../shared/api/user.ts';
import { Button } from '../../components/button.tsx';
import { CircleAlert, Users } from '../../components/icon.tsx';
import { useFocusAfterRemoval } from '../focus.ts';
import { RecipientChips } from './recipient-chips.tsx';
import styles from './recipient-field.module.css';

interface RecipientFieldProps {
  recipients: readonly Recipient[];
  error: string | undefined;
  onChoose: () => void;
  onRemove: (id: string) => void;
}

export function RecipientField({ recipients, error, onChoose, onRemove }: RecipientFieldProps) {
  const id = useId();
  const field = useRef<HTMLFieldSetElement>(null);
  useFocusAfterRemoval(field, recipients.length, ':scope > button');
  return (
    <fieldset className={styles.field} ref={field}>
      <legend className={styles.label}>Recipient Emails</legend>
      {recipients.length > 0 && <RecipientChips recipients={recipients} onRemove={onRemove} />}
      <Button
        icon={<Users size={18} aria-hidden="true" />}
        data-refused={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onClick={onChoose}
      >
        {recipients.length === 0 ? 'Select Recipients' : 'Change Recipients'}
      </Button>
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <CircleAlert size={16} aria-hidden="true" />
          {error}
        </p>
      )}
    </fieldset>
  );
}
