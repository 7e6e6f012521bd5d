import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { blockPerson } from '../../hooks/use-blocked.ts';
import { changeFailure } from '../change-failure.ts';
import { firstName } from '../format.ts';
import type { AskedPerson } from './ask.ts';
import { sayBlocked } from './blocking.ts';
import { CheckLine } from './check-line.tsx';
import styles from './people.module.css';

interface BlockDialogProps {
  person: AskedPerson;
  answer: (isDone: boolean) => void;
}

/** Says what blocking means, and does it. */
export function BlockDialog({ person, answer }: BlockDialogProps) {
  const [putAway, setPutAway] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const name = firstName(person);

  const send = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await blockPerson(person.id, { putAway });
    } catch (error) {
      setBusy(false);
      setFailure(changeFailure(error, `We couldn't block ${name}. Please try again.`));
      return;
    }
    sayBlocked(person);
    answer(true);
  };

  const cancel = busy ? () => undefined : () => answer(false);
  return (
    <Dialog
      title={`Block ${person.name}?`}
      onClose={cancel}
      footer={
        <>
          <Button disabled={busy} onClick={cancel}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void send()}>
            Block
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>
          New capsules from {name} won't show up anywhere, and we won't tell you about any of them.{' '}
          {name} isn't told, and can go on sending.
        </p>
        <p>
          You can unblock {name} in your profile, under People. Then you'll see what has come in
          meanwhile.
        </p>
        <CheckLine checked={putAway} onChange={setPutAway}>
          Move what {name} has sent me so far out of sight
        </CheckLine>
        <FormFailure message={failure} />
      </div>
    </Dialog>
  );
}
