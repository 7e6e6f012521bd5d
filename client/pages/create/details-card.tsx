import type { ReactNode } from 'react';
import { addDays, addYears, dayAt } from '../../../shared/day.ts';
import { DESCRIPTION_MAX, TITLE_MAX, UNLOCK_YEARS_MAX } from '../../../shared/limits.ts';
import { DateField } from '../../components/date-field.tsx';
import { TextArea, TextField } from '../../components/field.tsx';
import { Switch } from '../../components/switch.tsx';
import type { DraftFields } from '../../db/tables.ts';
import { ownTimeZone, useNow } from '../../hooks/use-now.ts';
import { openingText } from '../format.ts';
import styles from './create.module.css';
import { RecipientField } from './recipients.tsx';

interface DetailsCardProps {
  fields: DraftFields;
  /** Another device or tab has changed the day. */
  isDayNews: boolean;
  errors: Record<string, string>;
  /** Something is written: from now on the day has suggestions. */
  isBegun: boolean;
  /** They can be read, and not changed. */
  isInOtherTab: boolean;
  change: (fields: Partial<DraftFields>) => void;
  /** Opens the dialog in which recipients are chosen. */
  onChoose: () => void;
  /** The letter and the files, after whom they are for. */
  children: ReactNode;
}

/** The four fields about the capsule, around its contents. */
export function DetailsCard(props: DetailsCardProps) {
  const { fields, isDayNews, errors, isBegun, isInOtherTab, change, onChoose, children } = props;
  const zone = ownTimeZone();
  const today = dayAt(useNow(), zone);
  const { dateToUnlock, recipients } = fields;
  const news = isDayNews ? 'Changed elsewhere. ' : '';
  const isForYourself = recipients.length > 0 && recipients.every(({ isYou }) => isYou);
  return (
    <section className="stack gap-24" aria-label="Details">
      <div className={`stack gap-24 top ${styles.pair}`}>
        <TextField
          label="Capsule Title"
          name="title"
          autoComplete="off"
          enterKeyHint="next"
          required
          readOnly={isInOtherTab}
          max={TITLE_MAX}
          mayPass
          value={fields.title}
          error={errors.title}
          onChange={(event) => change({ title: event.target.value })}
        />
        <RecipientField
          recipients={recipients}
          disabled={isInOtherTab}
          error={errors.recipientEmails}
          onChoose={onChoose}
          onRemove={(id) => change({ recipients: recipients.filter((person) => person.id !== id) })}
        />
      </div>
      {children}
      <div className={`stack gap-24 top ${styles.pair}`}>
        <DateField
          label="Unlock Date"
          value={dateToUnlock}
          disabled={isInOtherTab}
          onChange={(day) => change({ dateToUnlock: day })}
          today={isBegun ? today : undefined}
          min={addDays(today, 1)}
          max={addYears(today, UNLOCK_YEARS_MAX)}
          hint={news + (dateToUnlock && openingText({ dateToUnlock, timeZone: zone }, today, zone))}
          error={errors.dateToUnlock ?? null}
        />
        <TextArea
          label="Description"
          name="description"
          hint="Shown on the outside, right away, to everyone you send it to."
          hintFirst
          rows={2}
          required
          readOnly={isInOtherTab}
          max={DESCRIPTION_MAX}
          mayPass
          value={fields.description}
          error={errors.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </div>
      {!isForYourself && (
        <Switch
          label="Notify recipients that a capsule is waiting for them"
          checked={fields.notifyRecipient}
          disabled={isInOtherTab}
          onChange={(notifyRecipient) => change({ notifyRecipient })}
        />
      )}
    </section>
  );
}
