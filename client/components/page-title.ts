import { useEffect } from 'react';
import { siteName } from './site-name.ts';

/** The window's title, shown in the tab and in the history. */
export function titleOf(page: string): string {
  return page === siteName() ? page : `${page} · ${siteName()}`;
}

/** Replaces the title of the route while the component is shown. Null leaves it. */
export function usePageTitle(page: string | null): void {
  useEffect(() => {
    if (page === null) return;
    const before = document.title;
    const ours = titleOf(page);
    document.title = ours;
    return () => {
      // The page that follows may have set its own already.
      if (document.title === ours) document.title = before;
    };
  }, [page]);
}
