import { useRef, useState } from 'react';
import { toasts } from '../components/toast.tsx';
import { changeFailure } from './change-failure.ts';

/**
 * A choice of the account: as it was made on this page, at once, until there is a newer answer. One is
 * saved after the other, so that the server hears the last one last. What can't be saved is taken back,
 * and so is what was chosen since, which was built on it.
 * @param stored what the server said last
 */
export function useChoice<Choice>(stored: Choice) {
  const [chosen, setChosen] = useState<{ choice: Choice; isSaved: boolean } | null>(null);
  const saving = useRef<Promise<unknown>>(Promise.resolve());
  // What was saved is in it, and perhaps what another device has changed since.
  const [last, setLast] = useState(stored);
  if (stored !== last) {
    setLast(stored);
    if (chosen?.isSaved) setChosen(null);
  }
  const choose = (choice: Choice, save: () => Promise<unknown>) => {
    setChosen({ choice, isSaved: false });
    // After a failure the next ones are not saved.
    const saved = saving.current.then(save);
    saving.current = saved;
    const isLast = () => saving.current === saved;
    saved.then(
      () => isLast() && setChosen({ choice, isSaved: true }),
      (error) => {
        if (!isLast()) return;
        saving.current = Promise.resolve();
        setChosen(null);
        toasts.failure(changeFailure(error, "We couldn't save this. Please try again."));
      },
    );
  };
  return { choice: chosen ? chosen.choice : stored, choose };
}
