import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { CircleAlert, Eye, EyeOff } from './icon.tsx';

export interface FieldTexts {
  label: string;
  hint?: ReactNode;
  /** The error in one sentence. Absent if there is none. */
  error?: string | null;
}

/** Said of a date of which only a part stands there. */
export const HALF_TYPED = 'Please enter a complete date, one that is on the calendar';

interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps extends FieldTexts {
  children: (ids: FieldIds) => ReactNode;
  /** Beside the label, e.g. a character counter. */
  aside?: ReactNode;
  /** The hint stands before the control: it should be read before anything is written. */
  hintFirst?: boolean | undefined;
  /** Only screen readers hear the label: what stands above says the same. */
  hidesLabel?: boolean | undefined;
}

/** Label, control, hint and error, connected for screen readers. */
export function Field(props: FieldProps) {
  const { label, hint, error, aside, hintFirst, hidesLabel, children } = props;
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined;
  const hintLine = hint && (
    <p className="quiet small" id={hintId}>
      {hint}
    </p>
  );
  return (
    <div className="stack gap-6 narrows">
      <div className="cluster baseline spread gap-0-12">
        <label className={hidesLabel ? 'visually-hidden' : 'strong'} htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      {hintFirst && hintLine}
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {error && <FieldError id={errorId} text={error} />}
      {!hintFirst && hintLine}
    </div>
  );
}

/** What is wrong with a field, below it. Its control names `id` in `aria-describedby`. */
export function FieldError({ id, text }: { id: string; text: string }) {
  return (
    <p className={`row gap-8 top red small ${styles.error}`} id={id}>
      <CircleAlert size={16} />
      {text}
    </p>
  );
}

interface TextFieldProps extends FieldTexts, Omit<ComponentProps<'input'>, 'id' | 'className'> {
  value: string;
  /** Limits the length to this many characters, and counts them near the limit. */
  max?: number;
  /**
   * Allows longer text, so that pasted text is not cut off. The counter shows how much is too
   * long.
   */
  mayPass?: boolean;
  /** Counts from the start. */
  counted?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, max, mayPass, counted, ...input } = props;
  const aside = max && <Counter length={input.value.length} max={max} counted={counted} />;
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(ids) => (
        <input
          type="text"
          dir="auto"
          spellCheck={input.type === 'email' ? false : undefined}
          maxLength={mayPass ? undefined : max}
          {...input}
          {...ids}
          className={`wide target control ${styles.control}`}
        />
      )}
    </Field>
  );
}

interface TextAreaProps extends FieldTexts, Omit<ComponentProps<'textarea'>, 'id' | 'className'> {
  value: string;
  max?: number;
  mayPass?: boolean;
  counted?: boolean;
  hintFirst?: boolean;
}

export function TextArea(props: TextAreaProps) {
  const { label, hint, hintFirst, error, max, mayPass, counted, ...area } = props;
  const aside = max && <Counter length={area.value.length} max={max} counted={counted} />;
  return (
    <Field label={label} hint={hint} hintFirst={hintFirst} error={error} aside={aside}>
      {(ids) => (
        <textarea
          dir="auto"
          maxLength={mayPass ? undefined : max}
          {...area}
          {...ids}
          className={classes(`wide target control ${styles.control}`, styles.area)}
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
  /** Shown from the start. */
  counted?: boolean | undefined;
}

const tooMany = (count: number) =>
  count === 1 ? '1 character too many' : `${count} characters too many`;

/** 'N / max', near the limit: in a warning colour and announced politely; in red beyond it. */
export function Counter({ length, max, counted }: CounterProps) {
  const near = length >= max * NEAR;
  const left = max - length;
  return (
    <>
      {(near || counted) && (
        <span
          className={classes(
            'stamp',
            `quiet unbroken ${styles.counter}`,
            near && 'orange strong',
            left < 0 && 'red',
          )}
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

interface PasswordFieldProps
  extends FieldTexts,
    Omit<ComponentProps<'input'>, 'id' | 'type' | 'className'> {
  value: string;
}

/** A password input with a show/hide toggle. */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const Mark = shown ? EyeOff : Eye;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <div className={`holds ${styles.joined}`}>
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...ids}
            type={shown ? 'text' : 'password'}
            className={`wide target control ${styles.control}`}
          />
          <button
            type="button"
            className={`in-corner quiet wakes small strong inline-row gap-6 rounded ${styles.toggle}`}
            aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            onClick={() => setShown(!shown)}
          >
            <Mark size={18} />
            <span aria-hidden="true">{shown ? 'Hide' : 'Show'}</span>
          </button>
        </div>
      )}
    </Field>
  );
}
