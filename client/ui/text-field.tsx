import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { Counter } from './counter.tsx';
import styles from './field.module.css';
import { Field, type FieldTexts } from './field.tsx';

export interface TextFieldProps extends FieldTexts, Omit<ComponentProps<'input'>, 'id'> {
  value: string;
  /** Shows a counter, and no more than this many characters can be typed. */
  max?: number;
  /** More can be typed and pasted, and the counter says how many are too many: nothing is cut off. */
  mayPass?: boolean;
  /** The counter waits until the limit comes near. */
  lateCounter?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, max, mayPass, lateCounter, className, ...input } = props;
  const aside = max && <Counter length={input.value.length} max={max} late={lateCounter} />;
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(ids) => (
        <input
          type="text"
          dir="auto"
          maxLength={mayPass ? undefined : max}
          {...input}
          {...ids}
          className={classes(styles.control, className)}
        />
      )}
    </Field>
  );
}

export interface TextAreaProps extends FieldTexts, Omit<ComponentProps<'textarea'>, 'id'> {
  value: string;
  max?: number;
  mayPass?: boolean;
}

export function TextArea(props: TextAreaProps) {
  const { label, hint, error, max, mayPass, className, ...area } = props;
  const aside = max && <Counter length={area.value.length} max={max} />;
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(ids) => (
        <textarea
          dir="auto"
          maxLength={mayPass ? undefined : max}
          {...area}
          {...ids}
          className={classes(styles.control, styles.area, className)}
        />
      )}
    </Field>
  );
}
