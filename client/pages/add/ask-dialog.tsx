import { useState } from 'react';
import { type AddedList, newContributionLinkSchema } from '../../../shared/api/contributions.ts';
import { dayAt } from '../../../shared/day.ts';
import { CONTRIBUTION_WORDS_MAX } from '../../../shared/limits.ts';
import { TextArea, TextField } from '../../components/field.tsx';
import { makeLink } from '../../hooks/use-added.ts';
import { ownTimeZone } from '../../hooks/use-now.ts';
import { changeFailure } from '../change-failure.ts';
import { checkForm } from '../check-form.ts';
import { FormDialog, FormText } from '../form-dialog.tsx';
import { useForm } from '../use-form.ts';

interface AskDialogProps {
  /** Of the draft. */
  id: string;
  /** Of the draft; empty while it has none. */
  title: string;
  /** The link that ends when this one is made. */
  before: AddedList['link'];
  /** Told whether a link was made. */
  answer: (isMade: boolean) => void;
}

/** What those who are asked to add will read, and until when they can. */
export function AskDialog({ id, title, before, answer }: AskDialogProps) {
  const form = useForm({ words: before?.words ?? '', until: before?.until ?? '' });
  const [leaving] = useState(() => new AbortController());
  const send = () =>
    void form.submit(
      ({ words, until }) =>
        checkForm(newContributionLinkSchema, { words, until: until === '' ? null : until }),
      async (link) => {
        const { signal } = leaving;
        await makeLink(id, link, signal);
        if (!signal.aborted) answer(true);
      },
      (error) => changeFailure(error, "We couldn't make the link. Please try again."),
    );
  return (
    <FormDialog
      title="Ask others to add"
      submit="Make the link"
      form={form}
      onSubmit={send}
      closesWhileBusy
      onClose={() => {
        leaving.abort();
        answer(false);
      }}
    >
      <FormText>
        <p>
          Whoever opens the link sees your name,{' '}
          {title === '' ? 'the title' : <>the title “{title}”</>} and what you write here. They see
          nothing else of your draft. The files they add count towards your storage.
        </p>
        {before && <p>The link you made before ends.</p>}
      </FormText>
      <TextArea
        label="Your words to them"
        rows={4}
        max={CONTRIBUTION_WORDS_MAX}
        {...form.field('words')}
      />
      <TextField
        label="Last day to begin (optional)"
        type="date"
        min={dayAt(new Date(), ownTimeZone())}
        hint="Without one, they can add until you seal the capsule. It is never sealed by itself."
        {...form.field('until')}
      />
    </FormDialog>
  );
}
