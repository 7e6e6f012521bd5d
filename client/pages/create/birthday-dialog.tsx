import { useState } from 'react';
import { addYears, type Day, isDay } from '../../../shared/day.ts';
import { TextField } from '../../components/field.tsx';
import { FormDialog } from '../form-dialog.tsx';
import { useForm } from '../use-form.ts';

const OF_AGE = 18;

interface BirthdayDialogProps {
  today: Day;
  /** @param day of their eighteenth birthday */
  onClose: (day?: Day) => void;
}

/** Asks for the day of somebody's birth, to open on their eighteenth birthday. */
export function BirthdayDialog({ today, onClose }: BirthdayDialogProps) {
  const form = useForm(useState({ born: '' }), {
    check: ({ born }) => {
      const data = isDay(born) ? addYears(born, OF_AGE) : null;
      if (data !== null && data > today) return { ok: true, data };
      return { ok: false, errors: { born: data === null ? NO_DAY : OF_AGE_ALREADY } };
    },
    send: async (day) => onClose(day),
    explain: String,
  });
  return (
    <FormDialog
      title="When were they born?"
      submit="Open on their 18th birthday"
      form={form}
      onClose={() => onClose()}
    >
      <TextField label="Date of birth" type="date" {...form.field('born')} />
    </FormDialog>
  );
}

const NO_DAY = 'Please enter a day, or cancel and choose one later.';
const OF_AGE_ALREADY = "They're eighteen already. Please choose another day.";
