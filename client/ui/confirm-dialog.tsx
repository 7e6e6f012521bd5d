import { useEffect } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface Question {
  text: string;
  /** OK destroys something. */
  danger: boolean;
  yes: string;
  no: string;
  answer: (yes: boolean) => void;
}

/** A question in a modal alert dialog. */
export function ConfirmDialog({ text, danger, yes, no, answer }: Question) {
  useEffect(() => {
    // Going back is no answer to what the page left behind has asked.
    const leave = () => answer(false);
    window.addEventListener('popstate', leave);
    return () => window.removeEventListener('popstate', leave);
  }, [answer]);
  return (
    <Dialog
      open
      role="alertdialog"
      size="small"
      title="Please confirm"
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
