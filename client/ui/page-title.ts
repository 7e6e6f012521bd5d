import { useEffect } from 'react';
import { site } from '../../shared/site.ts';

/** What stands in the window's title, and so in the history and in the tab. */
export function titleOf(page: string): string {
  return page === site.name ? page : `${page} · ${site.name}`;
}

/** A better title than that of the route, for as long as this is shown; null leaves it as it is. */
export function usePageTitle(page: string | null): void {
  useEffect(() => {
    if (page === null) return;
    const before = document.title;
    document.title = titleOf(page);
    return () => {
      document.title = before;
    };
  }, [page]);
}
