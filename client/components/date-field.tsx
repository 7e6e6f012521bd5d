import { useState } from 'react';
import { addYears, type Day } from '../../shared/day.ts';
import styles from './field.module.css';
import { Field, type FieldTexts, HALF_TYPED } from './field.tsx';

interface DateFieldProps extends FieldTexts {
  value: Day | '';
  disabled?: boolean;
  onChange: (day: Day | '') => void;
  /** The first day that may be chosen. */
  min: Day;
  max?: Day;
  /** Suggests days that many years after this one. */
  today?: Day | undefined;
}

const PRESET_YEARS = [1, 5, 10, 18];

/** A day by the browser's own date field or by preset. */
export function DateField(props: DateFieldProps) {
  const { label, value, disabled = false, onChange, min, max, today, hint, error } = props;
  // The value of a half-typed date is '', as if nothing stood there: only `badInput` tells.
  const [isHalfTyped, setHalfTyped] = useState(false);
  const own = isHalfTyped ? HALF_TYPED : null;
  return (
    <Field label={label} hint={hint} error={error ?? own}>
      {(ids) => (
        <>
          <input
            {...ids}
            type="date"
            className={`wide target control ${styles.control}`}
            required
            readOnly={disabled}
            min={min}
            max={max}
            value={value}
            onChange={({ target }) => {
              if (!target.validity.badInput) setHalfTyped(false);
              onChange(target.value);
            }}
            onBlur={({ target }) => setHalfTyped(target.validity.badInput)}
          />
          {today && (
            <fieldset
              className={`stack gap-8 narrows ${styles.presets}`}
              aria-label="Suggestions"
              disabled={disabled}
            >
              {PRESET_YEARS.map((years) => {
                const day = addYears(today, years);
                return (
                  <button
                    key={years}
                    type="button"
                    className={`target small strong outlined darkens rounded ${styles.preset}`}
                    aria-pressed={value === day}
                    onClick={() => {
                      setHalfTyped(false);
                      onChange(day);
                    }}
                  >
                    {years === 1 ? '1 year' : `${years} years`}
                  </button>
                );
              })}
            </fieldset>
          )}
        </>
      )}
    </Field>
  );
}
