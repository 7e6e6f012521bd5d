import { useEffect } from 'react';
import { createExternalStore, useExternalStore } from '../hooks/store.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Question {
  /** The question itself. */
  title: string;
  /** What the answer does. */
  text: string;
  /** OK destroys something. */
  danger: boolean;
  yes: string;
  no: string;
  answer: (yes: boolean) => void;
}

const store = createExternalStore<{ question: Question | null }>({ question: null });

/**
 * Asks in a modal alert dialog with OK and Cancel; true for OK.
 * `danger` colours OK where it destroys something; `yes` and `no` rename the buttons.
 * Needs one `<ConfirmHost>` in the app.
 */
export function confirm(
  title: string,
  text: string,
  { danger = false, yes = 'OK', no = 'Cancel' } = {},
): Promise<boolean> {
  store.get().question?.answer(false);
  return new Promise((resolve) => {
    const answer = (isYes: boolean) => {
      store.set({ question: null });
      resolve(isYes);
    };
    store.set({ question: { title, text, danger, yes, no, answer } });
  });
}

export function ConfirmHost() {
  const { question } = useExternalStore(store);
  return question && <ConfirmDialog {...question} />;
}

function ConfirmDialog({ title, text, danger, yes, no, answer }: Question) {
  useEffect(() => {
    // Going back is no answer to a question of the page that was left.
    const leave = () => answer(false);
    window.addEventListener('popstate', leave);
    return () => window.removeEventListener('popstate', leave);
  }, [answer]);
  return (
    <Dialog
      role="alertdialog"
      size="small"
      title={title}
      onClose={() => answer(false)}
      footer={
        <>
          <Button autoFocus={danger} onClick={() => answer(false)}>
            {no}
          </Button>
          <Button
            autoFocus={!danger}
            variant={danger ? 'danger' : 'primary'}
            onClick={() => answer(true)}
          >
            {yes}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
