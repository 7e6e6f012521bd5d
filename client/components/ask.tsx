import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { createExternalStore, useExternalStore } from '../hooks/store.ts';

interface Asked {
  dialog: ReactNode;
  dismiss: () => void;
}

const store = createExternalStore<{ asked: Asked | null }>({ asked: null });

/**
 * Shows a dialog over any page until it is answered. Another dialog, another page, and going back in
 * the history answer it with false. Needs one `<AskHost>` in the app.
 */
export function ask(dialog: (answer: (yes: boolean) => void) => ReactNode): Promise<boolean> {
  store.get().asked?.dismiss();
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      // A form that was on its way may answer when another question is asked.
      if (store.get().asked === asked) store.set({ asked: null });
      resolve(yes);
    };
    const asked = { dialog: dialog(answer), dismiss: () => answer(false) };
    store.set({ asked });
  });
}

export function AskHost() {
  return <Question key={useLocation().pathname} />;
}

function Question() {
  const { asked } = useExternalStore(store);
  useEffect(() => {
    const dismiss = () => store.get().asked?.dismiss();
    // Going back is no answer to a question of the page that was left.
    window.addEventListener('popstate', dismiss);
    return () => {
      window.removeEventListener('popstate', dismiss);
      dismiss();
    };
  }, []);
  return asked?.dialog;
}
