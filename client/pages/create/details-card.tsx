import { Suspense } from 'react';
import { addDays, addYears, dayAt } from '../../../shared/day.ts';
import { DESCRIPTION_MAX, TITLE_MAX, UNLOCK_YEARS_MAX } from '../../../shared/limits.ts';
import type { DraftFields } from '../../local/db.ts';
import { useMinute } from '../../state/use-minute.ts';
import { ownTimeZone } from '../../sync/refresh.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { lazyPart } from '../lazy-part.ts';
import styles from './details-card.module.css';
import { RecipientField } from './recipient-field.tsx';

/** Also asked for ahead of time: what was refused may be the day. */
export const DateField = lazyPart(async () => (await import('../../ui/date-field.tsx')).DateField);

interface DetailsCardProps {
  fields: DraftFields;
  errors: Record<string, string>;
  change: (fields: Partial<DraftFields>) => void;
  /** Opens the dialog in which recipients are chosen. */
  onChoose: () => void;
}

export function DetailsCard({ fields, errors, change, onChoose }: DetailsCardProps) {
  const zone = ownTimeZone();
  const today = dayAt(useMinute(), zone);
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
        <TextArea
          label="Description"
          name="description"
          hint="Everybody who gets the capsule sees this from the start."
          required
          max={DESCRIPTION_MAX}
          mayPass
          value={fields.description}
          error={errors.description}
          onChange={(event) => change({ description: event.target.value })}
        />
        <RecipientField
          recipients={fields.recipients}
          error={errors.recipientEmails}
          onChoose={onChoose}
          onRemove={(id) =>
            change({ recipients: fields.recipients.filter((person) => person.id !== id) })
          }
        />
        <Suspense fallback={<Skeleton height="8.5rem" />}>
          <DateField
            label="Unlock Date"
            value={fields.dateToUnlock === '' ? null : fields.dateToUnlock}
            onChange={(day) => change({ dateToUnlock: day ?? '' })}
            today={today}
            minValue={addDays(today, 1)}
            maxValue={addYears(today, UNLOCK_YEARS_MAX)}
            hint={`It opens at the start of that day in your time zone (${zone.replaceAll('_', ' ')}).`}
            error={errors.dateToUnlock ?? null}
          />
        </Suspense>
        <Switch
          label="Notify recipients that a capsule is waiting for them"
          checked={fields.notifyRecipient}
          onChange={(notifyRecipient) => change({ notifyRecipient })}
        />
      </div>
    </Card>
  );
}
