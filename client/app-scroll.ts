import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { scrollToAnchor } from './ui/anchor.ts';

/** How far each entry of the history was scrolled, in pixels. */
const positions = new Map<string, number>();

/**
 * A new page starts at its top, going back returns to where one was. A page that only
 * changes its own query (a dialog opens, a list is filtered) stays where it is.
 */
export function useScrollRestoration(): void {
  const { key, hash, pathname } = useLocation();
  const shown = useRef<string | null>(null);
  const type = useNavigationType();

  useEffect(() => {
    history.scrollRestoration = 'manual';
    const remember = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);

  useLayoutEffect(() => {
    if (hash) {
      scrollToAnchor(hash);
      return;
    }
    const isNewPage = shown.current !== pathname;
    shown.current = pathname;
    if (type === 'POP') window.scrollTo(0, positions.get(key) ?? 0);
    else if (isNewPage) window.scrollTo(0, 0);
  }, [key, hash, pathname, type]);
}
