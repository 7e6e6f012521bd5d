import { type ChangeEventHandler, useId } from 'react';
import { classes } from './classes.ts';
import { FieldError } from './field.tsx';
import styles from './radio-group.module.css';

interface RadioGroupProps {
  legend: string;
  name: string;
  /** Empty while nothing is chosen. */
  value: string;
  options: readonly { value: string; label: string; hint?: string }[];
  error: string | undefined;
  onChange: ChangeEventHandler<HTMLInputElement>;
}

/** One of a few, none of them preselected. Options with hints stand in boxes. */
export function RadioGroup({ legend, name, value, options, error, onChange }: RadioGroupProps) {
  const id = useId();
  return (
    <fieldset className={styles.group} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="strong">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classes('row middle gap-12 target', option.hint && styles.box)}
        >
          <input
            className="tick"
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            aria-invalid={error ? true : undefined}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={option.hint && `${id}-${option.value}-hint`}
            onChange={onChange}
          />
          <span>
            <span className={option.hint && 'strong'} id={`${id}-${option.value}`}>
              {option.label}
            </span>
            {option.hint && (
              <small className="quiet small" id={`${id}-${option.value}-hint`}>
                {option.hint}
              </small>
            )}
          </span>
        </label>
      ))}
      {error && <FieldError id={`${id}-error`} text={error} />}
    </fieldset>
  );
}
