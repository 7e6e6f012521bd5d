import { useState } from 'react';
import { addYears, type Day, isDay } from '../../shared/day.ts';
import { classes } from './classes.ts';
import styles from './field.module.css';
import { Field, type FieldTexts } from './field.tsx';

interface DateFieldProps extends FieldTexts {
  value: Day | '';
  onChange: (day: Day | '') => void;
  /** The first day that may be chosen. */
  min: Day;
  max?: Day;
  /** The presets count from this day. */
  today: Day;
  /** Asks for a day of birth from the start, to open on the eighteenth birthday. */
  asksBirth?: boolean;
}

const PRESET_YEARS = [1, 5, 10, 18];

/** The first 25 December that is still to come. */
function nextChristmas(today: Day): Day {
  const thisYear = `${today.slice(0, 4)}-12-25`;
  return thisYear > today ? thisYear : addYears(thisYear, 1);
}

/** A day by the browser's own date field or by preset. */
export function DateField(props: DateFieldProps) {
  const { label, value, onChange, min, max, today, asksBirth = false, hint, error } = props;
  // The value of a half-typed date is '', as if nothing stood there: only `badInput` tells.
  const [isHalfTyped, setHalfTyped] = useState(false);
  const [isBirthAsked, setBirthAsked] = useState(asksBirth);
  const choose = (day: Day) => {
    setHalfTyped(false);
    onChange(day);
  };
  const christmas = nextChristmas(today);
  const own = isHalfTyped ? 'Please enter a complete date, one that is on the calendar' : null;
  return (
    <>
      <Field label={label} hint={hint} error={error ?? own}>
        {(ids) => (
          <>
            <input
              {...ids}
              type="date"
              className={styles.control}
              required
              min={min}
              max={max}
              value={value}
              onChange={({ target }) => {
                if (!target.validity.badInput) setHalfTyped(false);
                onChange(target.value);
              }}
              onBlur={({ target }) => setHalfTyped(target.validity.badInput)}
            />
            <fieldset className={styles.presets} aria-label="Suggestions">
              {PRESET_YEARS.map((years) => {
                const day = addYears(today, years);
                return (
                  <button
                    key={years}
                    type="button"
                    className={styles.preset}
                    aria-pressed={value === day}
                    onClick={() => choose(day)}
                  >
                    {years === 1 ? '1 year' : `${years} years`}
                  </button>
                );
              })}
              <button
                type="button"
                className={classes(styles.preset, styles.long)}
                aria-pressed={value === christmas}
                onClick={() => choose(christmas)}
              >
                Next Christmas
              </button>
              <button
                type="button"
                className={classes(styles.preset, styles.long)}
                aria-expanded={isBirthAsked}
                onClick={() => setBirthAsked(!isBirthAsked)}
              >
                18th birthday
              </button>
            </fieldset>
          </>
        )}
      </Field>
      {isBirthAsked && <BirthField today={today} onChoose={choose} />}
    </>
  );
}

const OF_AGE = 18;

interface BirthFieldProps {
  today: Day;
  onChoose: (day: Day) => void;
}

/** Asks for the day of somebody's birth, and chooses their eighteenth birthday. */
function BirthField({ today, onChoose }: BirthFieldProps) {
  const [born, setBorn] = useState('');
  const day = isDay(born) ? addYears(born, OF_AGE) : null;
  // While a year is being typed it begins with zeros: '0002' on the way to '2020'.
  const isPast = day !== null && day <= today && !born.startsWith('0');
  return (
    <Field
      label="When were they born?"
      error={isPast ? "They're eighteen already. Please choose another day." : null}
    >
      {(ids) => (
        <input
          {...ids}
          type="date"
          className={styles.control}
          max={today}
          value={born}
          onChange={({ target }) => {
            setBorn(target.value);
            const birthday = isDay(target.value) && addYears(target.value, OF_AGE);
            if (birthday && birthday > today) onChoose(birthday);
          }}
        />
      )}
    </Field>
  );
}
