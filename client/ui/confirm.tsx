import { useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { createStore } from './store.ts';

interface Question {
  text: string;
  danger: boolean;
  yes: string;
  no: string;
  answer: (yes: boolean) => void;
}

const question = createStore<Question | null>(null);

/**
 * Asks in a modal alert dialog with OK and Cancel; true for OK.
 * `danger` colours OK where it destroys something; `yes` and `no` say it in other words.
 * Needs one `<ConfirmHost>` in the app.
 */
export function confirm(
  text: string,
  { danger = false, yes = 'OK', no = 'Cancel' } = {},
): Promise<boolean> {
  question.get()?.answer(false);
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      question.set(null);
      resolve(yes);
    };
    question.set({ text, danger, yes, no, answer });
  });
}

export function useConfirm(): typeof confirm {
  return confirm;
}

export function ConfirmHost() {
  const asked = useSyncExternalStore(question.subscribe, question.get);
  if (!asked) return null;
  return (
    <Dialog
      open
      role="alertdialog"
      size="small"
      title="Please confirm"
      onClose={() => asked.answer(false)}
      footer={
        <>
          <Button autoFocus={asked.danger} onClick={() => asked.answer(false)}>
            {asked.no}
          </Button>
          <Button
            autoFocus={!asked.danger}
            variant={asked.danger ? 'danger' : 'primary'}
            onClick={() => asked.answer(true)}
          >
            {asked.yes}
          </Button>
        </>
      }
    >
      <p>{asked.text}</p>
    </Dialog>
  );
}
