import { useRef, useState } from 'react';
import { type ContributionLink, contributionSchema } from '../../../shared/api/contributions.ts';
import { CONTRIBUTION_MB, FILES_MAX, NAME_MAX } from '../../../shared/limits.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import type { ContributionFields } from '../../db/tables.ts';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import { useNow } from '../../hooks/use-now.ts';
import { checkForm, type FieldErrors } from '../check-form.ts';
import { FilePicker } from '../contents/file-picker.tsx';
import { Letter } from '../contents/letter.tsx';
import { showErrors } from '../focus.ts';
import { dayAndTimeText } from '../format.ts';
import styles from './add.module.css';
import { deleteHere } from './part-state.tsx';
import { lostText } from './part-words.ts';
import type { PartHandle } from './use-contributions.ts';

interface PartFormProps {
  handle: PartHandle;
  files: readonly ShownFile[];
  link: ContributionLink | null;
  /** The first name of who asks. */
  who: string;
  /** It was given already: what is changed is sent by itself. */
  isGiven: boolean;
  onBegin: () => void;
  onRemoved: () => void;
  /** @returns whether this device has saved it */
  onGive: () => Promise<boolean>;
}

/** Name, letter, files and voice, on one sheet. */
export function PartForm(props: PartFormProps) {
  const { handle, files, link, who, isGiven, onBegin, onRemoved, onGive } = props;
  const { row } = handle;
  const { name, letter } = row.fields;
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isCopying = files.some(({ copied }) => copied !== null);

  const mend = (...mended: string[]) => {
    const rest = Object.entries(errors).filter(([field]) => !mended.includes(field));
    setErrors(Object.fromEntries(rest));
  };
  const change = (fields: Partial<ContributionFields>, field: string) => {
    // A file is enough, and so is a letter.
    mend(field, ...(field === 'name' ? [] : ['letter', 'files']));
    handle.change(fields);
    onBegin();
  };
  const submit = async () => {
    const wrong = whatIsWrong(row.fields, files);
    showErrors(form.current, () => setErrors(wrong));
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    const isSaved = await onGive();
    setBusy(false);
    if (!isSaved) setErrors({ letter: NOT_SAVED });
  };

  return (
    <form
      className="stack gap-24"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && !isCopying && !handle.isInOtherTab) void submit();
      }}
    >
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        value={name}
        readOnly={handle.isInOtherTab}
        max={NAME_MAX}
        error={errors.name ?? null}
        onChange={({ target }) => change({ name: target.value }, 'name')}
        // Enter must not send what is not finished.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <Letter
        label="Your letter"
        name="letter"
        to={(link?.recipientNames ?? []).map((name) => ({ name }))}
        prompt="Write what you'd like them to read that day."
        value={letter}
        readOnly={handle.isInOtherTab}
        error={errors.letter}
        onChange={(text) => change({ letter: text }, 'letter')}
      />
      <FilePicker
        rowId={row.id}
        isPart
        handle={handle}
        isForAccount={false}
        isOnServer={row.known !== undefined || row.sent !== undefined}
        files={files}
        limits={{
          maxFiles: FILES_MAX,
          maxFileMB: link?.maxFileMB ?? CONTRIBUTION_MB,
          maxCapsuleMB: link?.maxMB ?? CONTRIBUTION_MB,
        }}
        error={errors.files}
        onFiles={() => {
          mend('letter', 'files');
          onBegin();
        }}
      />
      <div className="cluster middle gap-8-16" inert={handle.isInOtherTab}>
        <Button
          type="submit"
          variant="primary"
          busy={isBusy || isCopying}
          busyLabel={isCopying ? 'Saving your files…' : 'Saving…'}
        >
          {isGiven ? 'Done' : `Send it to ${who}`}
        </Button>
        <Saved handle={handle} isGiven={isGiven} />
        {!isGiven && handle.savedAt !== null && (
          <Button variant="quiet" onClick={() => void deleteHere(row, onRemoved)}>
            Delete it
          </Button>
        )}
      </div>
    </form>
  );
}

const NOT_SAVED =
  "We couldn't save this in your browser, so it can't be sent yet. Free some space, then try again.";

/** By the server's own schema, and what only this device knows. */
function whatIsWrong(fields: ContributionFields, files: readonly ShownFile[]): FieldErrors {
  const lost = files.filter(({ isLost }) => isLost);
  if (lost.length > 0) return { files: lostText(lost) };
  const named = files.map(({ id, name, type, size }) => ({ id, name, type, bytes: size }));
  const checked = checkForm(contributionSchema, { ...fields, files: named });
  return checked.ok ? {} : checked.errors;
}

/** Where what was typed last is. */
function Saved({ handle, isGiven }: Pick<PartFormProps, 'handle' | 'isGiven'>) {
  const { refusal, savedAt } = handle;
  const now = useNow();
  return (
    <p className={`quiet small ${styles.saved}`} role="status">
      {refusal === 'full'
        ? "Your device is out of space, so your latest changes aren't saved."
        : refusal === 'failed'
          ? "Your latest changes aren't saved yet. Keep this page open while we try again."
          : savedAt === null
            ? ''
            : `Saved in this browser ${dayAndTimeText(savedAt, now)}.${isGiven ? SENT : ''}`}
    </p>
  );
}

const SENT = ' Changes are sent as you write.';
