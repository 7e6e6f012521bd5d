import { useState } from 'react';
import { type AddedList, newContributionLinkSchema } from '../../../shared/api/contributions.ts';
import { dayAt } from '../../../shared/day.ts';
import { CONTRIBUTION_WORDS_MAX } from '../../../shared/limits.ts';
import { TextArea, TextField } from '../../components/field.tsx';
import { Switch } from '../../components/switch.tsx';
import { makeLink } from '../../hooks/use-added.ts';
import { ownTimeZone } from '../../hooks/use-now.ts';
import { changeFailure } from '../change-failure.ts';
import { checkForm } from '../check-form.ts';
import { FormDialog, FormText } from '../form-dialog.tsx';
import { listText } from '../format.ts';
import { useForm } from '../use-form.ts';

interface AskDialogProps {
  /** Of the draft. */
  id: string;
  /** Of the draft; empty while it has none. */
  title: string;
  /** A link that is over: what it said is offered again. */
  before: AddedList['link'];
  /** Told whether a link was made. */
  answer: (isMade: boolean) => void;
}

/** What those who are asked to add will read, and until when they can. */
export function AskDialog({ id, title, before, answer }: AskDialogProps) {
  const [isSurprise, setSurprise] = useState(before?.isSurprise ?? false);
  const form = useForm(useState({ words: before?.words ?? '', until: before?.until ?? '' }), {
    check: ({ words, until }) =>
      checkForm(newContributionLinkSchema, { words, isSurprise, until: until || null }),
    send: async (link) => {
      await makeLink(id, link);
      answer(true);
    },
    explain: (error) => changeFailure(error, "We couldn't make the link. Please try again."),
  });
  const seen = [
    'your name',
    ...(title === '' ? [] : [`the title “${title}”`]),
    ...(isSurprise ? [] : ["whom it's for", 'when it opens']),
    'your note',
  ];
  return (
    <FormDialog
      title="Ask others to add"
      submit="Make the link"
      form={form}
      onClose={() => answer(false)}
    >
      <FormText>
        <p>One link for everyone. They'll see {listText(seen)}.</p>
      </FormText>
      <TextArea
        label="A note to them"
        rows={4}
        max={CONTRIBUTION_WORDS_MAX}
        {...form.field('words')}
      />
      <TextField
        label="Add by (optional)"
        type="date"
        min={dayAt(new Date(), ownTimeZone())}
        hint="Leave it empty, and they can add until you seal it."
        {...form.field('until')}
      />
      <Switch
        label="Make it a surprise"
        checked={isSurprise}
        hint="Hides whom it's for and when it opens, but not the title."
        onChange={setSurprise}
      />
    </FormDialog>
  );
}
