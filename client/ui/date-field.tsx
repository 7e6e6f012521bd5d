import './pressable-style.ts';
import { type CalendarDate, parseDate } from '@internationalized/date';
import { useId, useMemo, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar';
import {
  DateField as AriaDateField,
  DateInput,
  DateSegment,
} from 'react-aria-components/DateField';
import { Heading } from 'react-aria-components/Heading';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { addYears, type Day, isDay } from '../../shared/day.ts';
import styles from './date-field.module.css';
import { CalendarDays, ChevronLeft, ChevronRight, CircleAlert } from './icon.tsx';
import { LOCALE } from './locale.ts';

export interface DateFieldProps {
  label: string;
  value: Day | null;
  onChange: (day: Day | null) => void;
  /** The first day that may be chosen. */
  minValue: Day;
  maxValue?: Day;
  /** The day from which the presets count, normally today. */
  today: Day;
  hint?: string;
  error?: string | null;
}

const PRESET_YEARS = [1, 5, 10, 18];

function toCalendar(day: Day | null | undefined): CalendarDate | null {
  return day && isDay(day) ? parseDate(day) : null;
}

/**
 * A day by typing its parts, by calendar or by preset.
 * Heavy: pages load it lazily, `lazy(() => import('../../ui/date-field.tsx')…)`.
 */
export function DateField(props: DateFieldProps) {
  const { label, value, onChange, today, hint, error } = props;
  const [open, setOpen] = useState(false);
  const [focused, setFocused] = useState<CalendarDate | null>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const calendarId = useId();
  const minValue = toCalendar(props.minValue) ?? undefined;
  const maxValue = toCalendar(props.maxValue) ?? undefined;
  // Another date drops what is half typed, also one that says the same: a 31 of a month without it.
  const chosen = useMemo(() => toCalendar(value), [value]);
  const choose = (day: Day | null) => {
    onChange(day);
    setFocused(toCalendar(day));
  };
  const close = () => {
    setOpen(false);
    toggle.current?.focus();
  };

  return (
    <I18nProvider locale={LOCALE}>
      <div className={styles.field}>
        <AriaDateField
          className={styles.typed}
          value={chosen}
          onChange={(date) => choose(date?.toString() ?? null)}
          minValue={minValue}
          maxValue={maxValue}
          isInvalid={Boolean(error)}
          validationBehavior="aria"
        >
          <Label className={styles.label}>{label}</Label>
          <div className={styles.row}>
            <DateInput className={styles.input}>
              {(segment) => <DateSegment className={styles.segment} segment={segment} />}
            </DateInput>
            <button
              type="button"
              ref={toggle}
              className={styles.toggle}
              aria-expanded={open}
              aria-controls={calendarId}
              onClick={() => setOpen(!open)}
            >
              <CalendarDays size={18} aria-hidden="true" />
              Calendar
            </button>
          </div>
          {hint && (
            <Text slot="description" className={styles.hint}>
              {hint}
            </Text>
          )}
          {error && (
            <Text slot="errorMessage" className={styles.error}>
              <CircleAlert size={16} aria-hidden="true" />
              {error}
            </Text>
          )}
        </AriaDateField>
        <fieldset className={styles.presets} aria-label="Opens in">
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
        </fieldset>
        <fieldset
          className={styles.calendarBox}
          id={calendarId}
          hidden={!open}
          aria-label={`${label}, calendar`}
          onKeyDown={({ key }) => key === 'Escape' && close()}
        >
          {open && (
            <Calendar
              className={styles.calendar}
              aria-label={label}
              value={chosen}
              onChange={(date) => {
                choose(date.toString());
                close();
              }}
              focusedValue={focused ?? chosen ?? minValue ?? null}
              onFocusChange={(date) => setFocused(parseDate(date.toString()))}
              minValue={minValue}
              maxValue={maxValue}
            >
              <header className={styles.head}>
                <AriaButton slot="previous" className={styles.step}>
                  <ChevronLeft size={18} aria-hidden="true" />
                </AriaButton>
                <Heading className={styles.month} />
                <AriaButton slot="next" className={styles.step}>
                  <ChevronRight size={18} aria-hidden="true" />
                </AriaButton>
              </header>
              <CalendarGrid className={styles.grid} weekdayStyle="short">
                <CalendarGridHeader>
                  {(weekday) => <CalendarHeaderCell>{weekday.slice(0, 2)}</CalendarHeaderCell>}
                </CalendarGridHeader>
                <CalendarGridBody>
                  {(date) => <CalendarCell className={styles.cell} date={date} />}
                </CalendarGridBody>
              </CalendarGrid>
            </Calendar>
          )}
        </fieldset>
      </div>
    </I18nProvider>
  );
}
