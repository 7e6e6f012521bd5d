import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { Field, type FieldTexts } from './field.tsx';

export interface TextFieldProps extends FieldTexts, Omit<ComponentProps<'input'>, 'id'> {
  value: string;
  /** Shows a counter and limits the length to this many characters. */
  max?: number;
  /**
   * Allows longer text, so that pasted text is not cut off. The counter shows how much is too
   * long.
   */
  mayPass?: boolean;
  /** Shows the counter only near the limit. */
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

/** The counter warns from this share of the limit on. */
const NEAR = 0.9;

interface CounterProps {
  length: number;
  max: number;
  /** Hidden until the text is near the limit, for long texts. */
  late?: boolean | undefined;
}

const tooMany = (count: number) =>
  count === 1 ? '1 character too many' : `${count} characters too many`;

/** 'N / max'. Near the limit, in a warning colour and announced politely; in red beyond it. */
export function Counter({ length, max, late }: CounterProps) {
  const near = length >= max * NEAR;
  const left = max - length;
  return (
    <>
      {(near || !late) && (
        <span
          className={classes('stamp', styles.counter, near && styles.near, left < 0 && styles.over)}
          aria-hidden="true"
        >
          {length} / {max}
        </span>
      )}
      <span className="visually-hidden" role="status">
        {near && (left < 0 ? tooMany(-left) : `${left} of ${max} characters left`)}
      </span>
    </>
  );
}
