import { useRef, useState } from 'react';
import { toasts } from '../components/toast.tsx';
import { changeFailure } from './change-failure.ts';

/**
 * A choice of the account: as it was made on this page, at once, else as it is stored. One is saved after
 * the other, so that the server hears the last one last; what can't be saved is taken back.
 */
export function useChoice<Choice>(stored: Choice) {
  const [chosen, setChosen] = useState<{ choice: Choice } | null>(null);
  const saving = useRef(Promise.resolve());
  const choose = (choice: Choice, save: () => Promise<unknown>) => {
    setChosen({ choice });
    saving.current = saving.current.then(save).then(
      () => undefined,
      (error) => {
        setChosen(null);
        toasts.failure(changeFailure(error, "We couldn't save this. Please try again."));
      },
    );
  };
  return { choice: chosen ? chosen.choice : stored, choose };
}
