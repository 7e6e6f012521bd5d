import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { Screens } from './routes.tsx';

/** The HTML inside `#root` of the landing page, for the build. */
export async function renderLanding(): Promise<string> {
  const page = (
    <StrictMode>
      <StaticRouter location="/">
        <Screens />
      </StaticRouter>
    </StrictMode>
  );
  const { prelude } = await prerender(page, {
    // React assembles a page sent in pieces by inline scripts, which our policy forbids.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      throw error;
    },
  });
  return new Response(prelude).text();
}
