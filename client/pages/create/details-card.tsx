import { useSearchParams } from 'react-router-dom';
import { addDays, addYears, dayAt } from '../../../shared/day.ts';
import { DESCRIPTION_MAX, TITLE_MAX, UNLOCK_YEARS_MAX } from '../../../shared/limits.ts';
import { Card } from '../../components/card.tsx';
import { DateField } from '../../components/date-field.tsx';
import { TextArea, TextField } from '../../components/field.tsx';
import { Switch } from '../../components/switch.tsx';
import type { DraftFields } from '../../db/tables.ts';
import { ownTimeZone, useNow } from '../../hooks/use-now.ts';
import { openingText } from '../format.ts';
import { FOR_A_CHILD } from './beginnings.ts';
import styles from './create.module.css';
import { type MisplacedLetter, MisplacedLetterNote } from './misplaced-letter.tsx';
import { RecipientField } from './recipients.tsx';

interface DetailsCardProps {
  fields: DraftFields;
  errors: Record<string, string>;
  change: (fields: Partial<DraftFields>) => void;
  letter: MisplacedLetter;
  /** Opens the dialog in which recipients are chosen. */
  onChoose: () => void;
}

export function DetailsCard({ fields, errors, change, letter, onChoose }: DetailsCardProps) {
  const zone = ownTimeZone();
  const today = dayAt(useNow(), zone);
  const [params] = useSearchParams();
  const asksBirth = params.get('begin') === FOR_A_CHILD;
  return (
    <Card title="Details">
      <div className={styles.fields}>
        <TextField
          label="Capsule Title"
          name="title"
          autoComplete="off"
          enterKeyHint="next"
          required
          max={TITLE_MAX}
          mayPass
          value={fields.title}
          error={errors.title}
          onChange={(event) => change({ title: event.target.value })}
        />
        <div>
          <TextArea
            label="Description"
            name="description"
            hint="Shown on the outside, right away, to everyone you send it to."
            hintFirst
            rows={2}
            required
            max={DESCRIPTION_MAX}
            mayPass
            value={fields.description}
            error={errors.description}
            onChange={(event) => change({ description: event.target.value })}
            // Another window may have come to the front: then the field is not left.
            onBlur={({ target }) => target !== document.activeElement && letter.ask()}
          />
          <MisplacedLetterNote letter={letter} />
        </div>
        <div className={styles.pair}>
          <RecipientField
            recipients={fields.recipients}
            error={errors.recipientEmails}
            onChoose={onChoose}
            onRemove={(id) =>
              change({ recipients: fields.recipients.filter((person) => person.id !== id) })
            }
          />
          <DateField
            label="Unlock Date"
            value={fields.dateToUnlock}
            onChange={(dateToUnlock) => change({ dateToUnlock })}
            today={today}
            asksBirth={asksBirth}
            min={addDays(today, 1)}
            max={addYears(today, UNLOCK_YEARS_MAX)}
            hint={openingText({ dateToUnlock: fields.dateToUnlock, timeZone: zone }, today)}
            error={errors.dateToUnlock ?? null}
          />
        </div>
        <Switch
          label="Notify recipients that a capsule is waiting for them"
          checked={fields.notifyRecipient}
          onChange={(notifyRecipient) => change({ notifyRecipient })}
        />
      </div>
    </Card>
  );
}
