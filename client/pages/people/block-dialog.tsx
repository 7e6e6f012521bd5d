import { useState } from 'react';
import { blockPerson } from '../../hooks/use-blocked.ts';
import { changeFailure } from '../change-failure.ts';
import { FormDialog, FormText } from '../form-dialog.tsx';
import { firstName } from '../format.ts';
import { useForm } from '../use-form.ts';
import type { AskedPerson } from './asked.ts';
import { sayBlocked } from './blocking.ts';
import { CheckLine } from './check-line.tsx';

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
      sayBlocked(person);
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
