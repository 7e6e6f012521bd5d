import { type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { CircleAlert } from './icon.tsx';

export interface FieldTexts {
  label: string;
  hint?: ReactNode;
  /** The error in one sentence. Absent if there is none. */
  error?: string | null;
}

export interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps extends FieldTexts {
  children: (ids: FieldIds) => ReactNode;
  /** Beside the label, e.g. a character counter. */
  aside?: ReactNode;
  required?: boolean;
}

/** Label, control, hint and error, connected for screen readers. */
export function Field({ label, hint, error, aside, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined;
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p className={styles.error} id={errorId}>
          <CircleAlert size={16} aria-hidden="true" />
          {error}
        </p>
      )}
      {hint && (
        <p className={styles.hint} id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
