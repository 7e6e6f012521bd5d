import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Loaded } from './loaded.tsx';

it('has the region that speaks of a failure from the start', () => {
  const markup = (error: unknown) => {
    const of = { data: null, error, isRefreshing: false, refresh: async () => undefined };
    const shown = (
      <Loaded of={of} what="your bin">
        {() => null}
      </Loaded>
    );
    return renderToStaticMarkup(shown);
  };
  expect(markup(null)).toContain('<p role="alert"></p>');
  expect(markup(new Error())).toMatch(/<p role="alert">We couldn.+t load your bin\.<\/p>/);
});
