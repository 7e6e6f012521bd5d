import { type ComponentType, useSyncExternalStore } from 'react';
import type { Question } from './confirm-dialog.tsx';
import { createStore } from './store.ts';

interface Asked extends Question {
  Ask: ComponentType<Question>;
}

const question = createStore<Asked | null>(null);

/**
 * Asks in a modal alert dialog with OK and Cancel; true for OK.
 * `danger` colours OK where it destroys something; `yes` and `no` say it in other words.
 * Needs one `<ConfirmHost>` in the app. The dialog comes with the first question; where it
 * cannot come the browser asks.
 */
export async function confirm(
  text: string,
  { danger = false, yes = 'OK', no = 'Cancel' } = {},
): Promise<boolean> {
  const dialog = await import('./confirm-dialog.tsx').catch(() => null);
  if (!dialog) return window.confirm(text);
  question.get()?.answer(false);
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      question.set(null);
      resolve(yes);
    };
    question.set({ text, danger, yes, no, answer, Ask: dialog.ConfirmDialog });
  });
}

export function useConfirm(): typeof confirm {
  return confirm;
}

export function ConfirmHost() {
  const asked = useSyncExternalStore(question.subscribe, question.get, question.get);
  if (!asked) return null;
  const { Ask, ...rest } = asked;
  return <Ask {...rest} />;
}
