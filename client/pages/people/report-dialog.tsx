import { type FormEvent, useId, useRef, useState } from 'react';
import { reportSchema } from '../../../shared/api/reports.ts';
import { REPORT_TEXT_MAX } from '../../../shared/limits.ts';
import {
  REPORT_REASON_TEXTS,
  REPORT_REASONS,
  type ReportReason,
} from '../../../shared/report-reasons.ts';
import { CallError, isConnectionError, sentenceFrom } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FieldError, TextArea } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { toasts } from '../../components/toast.tsx';
import { blockPerson, sendReport } from '../../hooks/use-blocked.ts';
import { checkForm, type FieldErrors } from '../check-form.ts';
import { focusFirstError } from '../focus.ts';
import { firstName } from '../format.ts';
import type { AskedReport } from './ask.ts';
import { CheckLine } from './check-line.tsx';
import styles from './people.module.css';

interface ReportDialogProps {
  about: AskedReport;
  /** Told whether somebody was blocked as well. */
  answer: (isBlocked: boolean) => void;
}

/** Asks why a capsule or a person is reported, and sends it to whoever runs the site. */
export function ReportDialog({ about, answer }: ReportDialogProps) {
  const { capsule, person } = about;
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [text, setText] = useState('');
  const [blocks, setBlocks] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (fields: FieldErrors, message: string | null) => {
    setErrors(fields);
    setFailure(message);
    focusFirstError(form.current);
  };

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const thing = capsule ? { capsuleId: capsule.id } : { userId: person?.id };
    const checked = checkForm(reportSchema, { ...thing, reason, text });
    if (!checked.ok) return refuse(checked.errors, null);
    setBusy(true);
    refuse({}, null);
    try {
      await sendReport(checked.data);
    } catch (error) {
      setBusy(false);
      const fields = error instanceof CallError ? error.errors : {};
      const isPlaced = Boolean(fields.reason || fields.text);
      return refuse(fields, isPlaced ? null : reportFailure(error));
    }
    const isBlocked = blocks && person !== null && (await alsoBlock(person));
    toasts.success(
      isBlocked
        ? `Thank you. We've passed it on, and you've blocked ${firstName(person)}.`
        : "Thank you. We've passed it on.",
    );
    answer(isBlocked);
  };

  const cancel = busy ? () => undefined : () => answer(false);
  return (
    <Dialog
      title={capsule ? `Report “${capsule.title}”` : `Report ${person?.name}`}
      onClose={cancel}
      footer={
        <>
          <Button disabled={busy} onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            Send report
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} className={styles.form} noValidate onSubmit={onSubmit}>
        <p>{whatTheySee(about)}</p>
        <ReasonChoice
          value={reason}
          error={errors.reason}
          onChange={(chosen) => {
            setReason(chosen);
            setErrors(({ reason: _, ...others }) => others);
          }}
        />
        <TextArea
          label="What should they know?"
          name="text"
          rows={3}
          max={REPORT_TEXT_MAX}
          value={text}
          error={errors.text}
          onChange={({ target }) => setText(target.value)}
        />
        {person && (
          <CheckLine checked={blocks} onChange={setBlocks}>
            Block {firstName(person)} as well
          </CheckLine>
        )}
        <FormFailure message={failure} />
      </form>
    </Dialog>
  );
}

function whatTheySee({ capsule, person }: AskedReport): string {
  const sender = person ? ` ${firstName(person)} isn't told.` : '';
  const seen = !capsule
    ? 'who it is'
    : capsule.locked
      ? 'its title and description, but not what is sealed'
      : 'its message and the names of its files';
  return `This goes to whoever runs this site. They'll see ${seen}, and that it was you who reported it.${sender}`;
}

async function alsoBlock(person: { id: string; name: string }): Promise<boolean> {
  try {
    await blockPerson(person.id, { putAway: false });
    return true;
  } catch {
    toasts.failure(`We couldn't block ${firstName(person)}. Please try again.`);
    return false;
  }
}

function reportFailure(error: unknown): string {
  return isConnectionError(error)
    ? 'You need a connection to report something.'
    : sentenceFrom(error, "We couldn't send your report. Please try again.");
}

interface ReasonChoiceProps {
  value: ReportReason | null;
  error: string | undefined;
  onChange: (reason: ReportReason) => void;
}

function ReasonChoice({ value, error, onChange }: ReasonChoiceProps) {
  const id = useId();
  return (
    <fieldset className={styles.reasons} aria-describedby={error ? `${id}-error` : undefined}>
      <legend>Why are you reporting this?</legend>
      {REPORT_REASONS.map((reason) => (
        <label key={reason} className={styles.check}>
          <input
            type="radio"
            name="reason"
            value={reason}
            checked={value === reason}
            aria-invalid={error ? true : undefined}
            onChange={() => onChange(reason)}
          />
          <span>{REPORT_REASON_TEXTS[reason]}</span>
        </label>
      ))}
      {error && <FieldError id={`${id}-error`} text={error} />}
    </fieldset>
  );
}
