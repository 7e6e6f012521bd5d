import { prerender } from 'react-dom/static';
import { AppAt } from './app.tsx';
import { renderFor } from './state/rendered-page.ts';

/** The page at `path` as such a reader first sees it, for the build to write down: HTML for `#root`. */
export async function renderPage(path: string, reader: 'visitor' | 'member'): Promise<string> {
  renderFor(reader);
  const { prelude } = await prerender(<AppAt path={path} />, {
    // In one piece: what comes in pieces is put together by inline scripts, which our policy refuses.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      throw error;
    },
  });
  return new Response(prelude).text();
}
