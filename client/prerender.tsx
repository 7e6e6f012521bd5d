import { prerender } from 'react-dom/static';
import { AppAt } from './app.tsx';

/** The landing page as a visitor sees it, for the build to write down: HTML for `#root`. */
export async function renderLanding(): Promise<string> {
  const { prelude } = await prerender(<AppAt path="/" />, {
    // In one piece: what comes in pieces is put together by inline scripts, which our policy refuses.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      throw error;
    },
  });
  return new Response(prelude).text();
}
