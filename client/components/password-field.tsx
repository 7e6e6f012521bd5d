import { type ComponentProps, useState } from 'react';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { Field, type FieldTexts } from './field.tsx';
import { Eye, EyeOff } from './icon.tsx';

export interface PasswordFieldProps
  extends FieldTexts,
    Omit<ComponentProps<'input'>, 'id' | 'type'> {
  value: string;
}

/** A password input with a show/hide toggle. */
export function PasswordField({ label, hint, error, className, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const Mark = shown ? EyeOff : Eye;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <div className={styles.joined}>
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...ids}
            type={shown ? 'text' : 'password'}
            className={classes(styles.control, className)}
          />
          <button
            type="button"
            className={styles.toggle}
            aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            onClick={() => setShown(!shown)}
          >
            <Mark size={18} aria-hidden="true" />
            <span aria-hidden="true">{shown ? 'Hide' : 'Show'}</span>
          </button>
        </div>
      )}
    </Field>
  );
}
