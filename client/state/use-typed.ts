import { useEffect, useRef, useState } from 'react';
import { onUnauthorized } from '../http/unauthorized.ts';
import { beforeReload } from './before-reload.ts';

/**
 * A form's text: `useState` that lives through a reload which the app makes itself, and through
 * the end of a session until its person is back. For forms that are no drafts; in the tab's
 * storage until the form is shown again.
 * @param key names the form and its person
 * @param initial what it shows as long as nothing has been typed, also when that changes
 */
export function useTyped<Typed extends object>(
  key: string,
  initial: Typed,
): [Typed, (next: Typed | ((typed: Typed) => Typed)) => void] {
  const [typed, setTyped] = useState(() => read<Typed>(key));
  const latest = useRef({ typed, initial });
  useEffect(() => {
    latest.current.initial = initial;
    // Saved, or typed back. By the latest words: since this was drawn a key may have been pressed.
    const { typed } = latest.current;
    if (!typed || JSON.stringify(typed) !== JSON.stringify(initial)) return;
    latest.current.typed = null;
    setTyped(null);
  });

  useEffect(() => {
    forget(key);
    const keep = () => {
      const { typed } = latest.current;
      if (typed) sessionStorage.setItem(key, JSON.stringify(typed));
    };
    const stop = [beforeReload(async () => keep()), onUnauthorized(keep)];
    return () => {
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

function read<Typed>(key: string): Typed | null {
  try {
    const kept = sessionStorage.getItem(key);
    return kept === null ? null : JSON.parse(kept);
  } catch {
    return null;
  }
}

function forget(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage is forbidden: there is nothing to forget.
  }
}
