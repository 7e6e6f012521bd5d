import { useState } from 'react';
import { addYears, type Day, isDay } from '../../../shared/day.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';

const OF_AGE = 18;

interface BirthdayDialogProps {
  today: Day;
  onChoose: (day: Day) => void;
  onClose: () => void;
}

/** Asks for the day of somebody's birth, to open on their eighteenth birthday. */
export function BirthdayDialog({ today, onChoose, onClose }: BirthdayDialogProps) {
  const [born, setBorn] = useState('');
  const day = isDay(born) ? addYears(born, OF_AGE) : null;
  // While a year is being typed it begins with zeros: '0002' on the way to '2020'.
  const isPast = day !== null && day <= today && !born.startsWith('0');
  return (
    <Dialog
      title="When were they born?"
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Choose a day later</Button>
          <Button
            variant="primary"
            disabled={day === null || day <= today}
            onClick={() => day && onChoose(day)}
          >
            Open on their 18th birthday
          </Button>
        </>
      }
    >
      <TextField
        label="Date of birth"
        type="date"
        value={born}
        error={isPast ? "They're eighteen already. Please choose another day." : null}
        onChange={({ target }) => setBorn(target.value)}
      />
    </Dialog>
  );
}
