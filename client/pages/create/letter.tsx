import type { Recipient } from '../../../shared/api/user.ts';
import { MESSAGE_MAX } from '../../../shared/limits.ts';
import { Counter, Field } from '../../components/field.tsx';
import styles from './letter.module.css';
import { salutation } from './letter-text.ts';

const PLACEHOLDER = 'Write a personal message to be revealed when the capsule unlocks...';

interface LetterProps {
  value: string;
  recipients: readonly Recipient[];
  error: string | undefined;
  onChange: (text: string) => void;
}

/** The letter on its sheet of paper, which grows with the text. */
export function Letter({ value, recipients, error, onChange }: LetterProps) {
  return (
    <Field
      label="Personal Message"
      error={error}
      aside={<Counter length={value.length} max={MESSAGE_MAX} late />}
    >
      {(ids) => (
        <div className={styles.sheet}>
          <textarea
            {...ids}
            className={styles.paper}
            dir="auto"
            name="personalMessage"
            placeholder={PLACEHOLDER}
            rows={12}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          {/* Stands in for the browser's own placeholder, which cannot have a salutation. */}
          {value === '' && (
            <div className={styles.prompt} aria-hidden="true">
              <p>{salutation(recipients)}</p>
              <p>{PLACEHOLDER}</p>
            </div>
          )}
        </div>
      )}
    </Field>
  );
}
