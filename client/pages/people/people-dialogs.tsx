import { type ReactNode, useState } from 'react';
import { report, reportSchema } from '../../../shared/api/reports.ts';
import { REPORT_TEXT_MAX } from '../../../shared/limits.ts';
import { REPORT_REASON_TEXTS } from '../../../shared/report-reasons.ts';
import { call } from '../../api/client.ts';
import { TextArea } from '../../components/field.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { toasts } from '../../components/toast.tsx';
import { blockPerson } from '../../hooks/use-blocked.ts';
import { changeFailure } from '../change-failure.ts';
import { checkForm } from '../check-form.ts';
import { FormDialog, FormText } from '../form-dialog.tsx';
import { firstName } from '../format.ts';
import { useForm } from '../use-form.ts';

/** Somebody to block or report, as the app knows them. */
export interface AskedPerson {
  id: string;
  name: string;
}

/** A capsule to report, a person, or what somebody without an account has added to a capsule. */
export interface AskedReport {
  contribution?: { id: string; name: string };
  capsule: { id: string; title: string; locked: boolean } | null;
  /** Null for somebody who has deleted their account. */
  person: AskedPerson | null;
}

interface BlockDialogProps {
  person: AskedPerson;
  answer: (isDone: boolean) => void;
}

/** Says what blocking means, and does it. */
export function BlockDialog({ person, answer }: BlockDialogProps) {
  const [putAway, setPutAway] = useState(false);
  const name = firstName(person);
  const form = useForm(useState({}), {
    check: () => ({ ok: true, data: { putAway } }),
    send: async (choice) => {
      await blockPerson(person.id, choice);
      toasts.success(`You've blocked ${name}. You can undo it under “Safety” on your profile.`);
      answer(true);
    },
    explain: (error) => changeFailure(error, `We couldn't block ${name}. Please try again.`),
  });

  return (
    <FormDialog
      title={`Block ${person.name}?`}
      submit="Block"
      form={form}
      onClose={() => answer(false)}
    >
      <FormText>
        <p>
          New capsules from {name} won't show up anywhere, and we won't tell you about any of them.{' '}
          {name} isn't told, and can go on sending.
        </p>
        <p>
          You can unblock {name} under “Safety” on your profile. Then you'll see what has come in
          meanwhile.
        </p>
      </FormText>
      <CheckLine checked={putAway} onChange={setPutAway}>
        Move what {name} has sent me so far out of sight
      </CheckLine>
    </FormDialog>
  );
}

interface ReportDialogProps {
  about: AskedReport;
  /** Told whether somebody was blocked as well. */
  answer: (isBlocked: boolean) => void;
}

/** Asks why a capsule or a person is reported, and sends it to whoever runs the site. */
export function ReportDialog({ about, answer }: ReportDialogProps) {
  const { capsule, contribution, person } = about;
  const [blocks, setBlocks] = useState(false);
  const form = useForm(useState({ reason: '', text: '' }), {
    check: (typed) => {
      const thing = capsule ? { capsuleId: capsule.id } : { userId: person?.id };
      const added = contribution && { contributionId: contribution.id };
      return checkForm(reportSchema, { ...(added ?? thing), ...typed });
    },
    send: async (body) => {
      await call(report, { body });
      const isBlocked = blocks && person !== null && (await alsoBlock(person));
      toasts.success(
        isBlocked
          ? `Thank you. We've passed it on, and you've blocked ${firstName(person)}.`
          : "Thank you. We've passed it on.",
      );
      answer(isBlocked);
    },
    explain: (error) =>
      changeFailure(error, "We couldn't send your report. Please try again.", 'report something'),
  });

  return (
    <FormDialog
      title={titleOf(about)}
      submit="Send report"
      form={form}
      onClose={() => answer(false)}
    >
      <p>{whatTheySee(about)}</p>
      <RadioGroup
        legend="Why are you reporting this?"
        options={REASONS}
        {...form.field('reason')}
      />
      <TextArea
        label="What should they know?"
        rows={3}
        max={REPORT_TEXT_MAX}
        {...form.field('text')}
      />
      {person && (
        <CheckLine checked={blocks} onChange={setBlocks}>
          Block {firstName(person)} as well
        </CheckLine>
      )}
    </FormDialog>
  );
}

const REASONS = Object.entries(REPORT_REASON_TEXTS).map(([value, label]) => ({ value, label }));

function titleOf({ capsule, contribution, person }: AskedReport): string {
  if (contribution) return `Report what ${contribution.name} added`;
  return capsule ? `Report “${capsule.title}”` : `Report ${person?.name}`;
}

function whatTheySee({ capsule, contribution, person }: AskedReport): string {
  const sender = person ? ` ${firstName(person)} isn't told.` : '';
  const seen = contribution
    ? 'the letter, the file names,'
    : !capsule
      ? 'who it is'
      : capsule.locked
        ? 'the title and description, nothing that is sealed,'
        : 'the letter, the file names,';
  return `This goes to whoever runs this site. They'll see ${seen} and who reported it.${sender}`;
}

async function alsoBlock(person: AskedPerson): Promise<boolean> {
  try {
    await blockPerson(person.id, { putAway: false });
    return true;
  } catch {
    toasts.failure(`We couldn't block ${firstName(person)}. Please try again.`);
    return false;
  }
}

interface CheckLineProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** Something that is done as well. */
export function CheckLine({ checked, onChange, children }: CheckLineProps) {
  return (
    <label className="row middle gap-12 target">
      <input
        className="tick"
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
