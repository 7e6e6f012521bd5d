import { useEffect, useRef, useState } from 'react';
import { onUnauthorized } from '../api/session.ts';
import { tabStorage } from '../db/web-storage.ts';
import { beforeReload } from './reload.ts';
import { authState } from './use-session.ts';

/**
 * `useState` for a form's text that survives the app's own reloads, the end of the session, and a look at
 * another page. It is saved in the tab's storage until the form is shown again. Capsules have drafts instead.
 * @param key names the form and its person
 * @param initial shown as long as nothing was typed, also when it changes
 */
export function useSavedForm<Typed extends object>(
  key: string,
  initial: Typed,
): [Typed, (next: Typed | ((typed: Typed) => Typed)) => void] {
  const [typed, setTyped] = useState(() => tabStorage.readJson(key) as Typed | null);
  const latest = useRef({ typed, initial });
  useEffect(() => {
    latest.current.initial = initial;
    // The form was saved, or its changes were undone by hand. Compare the latest text: a key may
    // have been pressed since this render.
    const { typed } = latest.current;
    if (!typed || JSON.stringify(typed) !== JSON.stringify(initial)) return;
    latest.current.typed = null;
    setTyped(null);
  });

  useEffect(() => {
    tabStorage.write(key, null);
    const keep = () => {
      const { typed } = latest.current;
      if (typed) tabStorage.write(key, JSON.stringify(typed));
    };
    const stop = [beforeReload(async () => keep()), onUnauthorized(keep)];
    return () => {
      // After a sign-out nothing is left behind; where the session has ended, it is kept already.
      if (authState().isLoggedIn) keep();
      for (const take of stop) take();
    };
  }, [key]);

  return [
    typed ?? initial,
    (next) => {
      const { typed, initial } = latest.current;
      latest.current.typed = typeof next === 'function' ? next(typed ?? initial) : next;
      setTyped(latest.current.typed);
    },
  ];
}
