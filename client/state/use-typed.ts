import { useEffect, useRef, useState } from 'react';
import { beforeReload } from './before-reload.ts';

/**
 * A form's text: `useState` that lives through a reload which the app makes itself. For forms
 * that are no drafts; in the tab's storage until the form is shown again.
 * @param key names the form and its person
 */
export function useTyped<Typed>(key: string, initial: Typed): [Typed, (typed: Typed) => void] {
  const [typed, setTyped] = useState(() => read<Typed>(key) ?? initial);
  const latest = useRef({ typed, isChanged: typed !== initial });

  useEffect(() => {
    forget(key);
    return beforeReload(async () => {
      const { typed, isChanged } = latest.current;
      if (isChanged) sessionStorage.setItem(key, JSON.stringify(typed));
    });
  }, [key]);

  return [
    typed,
    (next) => {
      latest.current = { typed: next, isChanged: true };
      setTyped(next);
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
