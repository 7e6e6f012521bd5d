import { useState } from 'react';
import { newContributionLinkSchema } from '../../../shared/api/contributions.ts';
import { dayAt } from '../../../shared/day.ts';
import { CONTRIBUTION_WORDS_MAX } from '../../../shared/limits.ts';
import { isBlank } from '../../../shared/visible-text.ts';
import { TextArea, TextField } from '../../components/field.tsx';
import { Switch } from '../../components/switch.tsx';
import type { ChosenRecipient, DraftRow } from '../../db/tables.ts';
import { makeLink } from '../../hooks/use-added.ts';
import { ownTimeZone } from '../../hooks/use-now.ts';
import { changeFailure } from '../change-failure.ts';
import { checkForm } from '../check-form.ts';
import { FormDialog, FormText } from '../form-dialog.tsx';
import { listText } from '../format.ts';
import { useForm } from '../use-form.ts';

interface AskDialogProps {
  draft: DraftRow;
  /** Saves the draft. @returns whether it is saved */
  save: () => Promise<boolean>;
  /** The link is made, or not wanted. */
  onClose: () => void;
}

/** What those who are asked to add will read, and until when they can. */
export function AskDialog({ draft, save, onClose }: AskDialogProps) {
  const [isSurprise, setSurprise] = useState(false);
  const form = useForm(useState({ words: '', until: '' }), {
    check: ({ words, until }) =>
      checkForm(newContributionLinkSchema, { words, isSurprise, until: until || null }),
    send: async (link) => {
      // The note stays here, where the device may be full.
      if (!(await save())) throw new Error('The draft could not be saved.');
      await makeLink(draft.id, link);
      onClose();
    },
    explain: (error) => changeFailure(error, "We couldn't make the link. Please try again."),
  });
  const { title, recipients } = draft.fields;
  const seen = [
    'your name',
    ...(isBlank(title) ? [] : [`the title “${title.trim()}”`]),
    ...(isSurprise || isNameless(recipients) ? [] : ["whom it's for"]),
    ...(isSurprise ? [] : ['when it opens']),
    'your note',
  ];
  return (
    <FormDialog title="Ask others to add" submit="Make the link" form={form} onClose={onClose}>
      <FormText>
        <p>One link for everyone. They'll see {listText(seen)}.</p>
      </FormText>
      <TextArea
        label="A note to them (optional)"
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

/** Those who add aren't told an address, nor that it's for whoever asks. */
function isNameless(recipients: readonly ChosenRecipient[]): boolean {
  const isTold = ({ isYou, givenName, name }: ChosenRecipient) =>
    !isYou && !(givenName || name).includes('@');
  return recipients.length > 0 && !recipients.some(isTold);
}
