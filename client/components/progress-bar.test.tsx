import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ProgressBar } from './progress-bar.tsx';

/** What its live region holds at this percent. */
function spokenAt(percent: number): string | undefined {
  const markup = renderToStaticMarkup(<ProgressBar label="Uploading" percent={percent} />);
  return /role="status">([^<]*)</.exec(markup)?.[1];
}

it('shows every percent and speaks of 25, 50, 75 and 100 alone', () => {
  const spoken = Array.from({ length: 101 }, (_, percent) => spokenAt(percent));
  const news = spoken.flatMap((text, percent) =>
    text === spoken[percent - 1] ? [] : [[percent, text]],
  );
  expect(news).toEqual([
    [0, ''],
    [25, 'Uploading 25%'],
    [50, 'Uploading 50%'],
    [75, 'Uploading 75%'],
    [100, 'Uploading 100%'],
  ]);
  expect(spokenAt(99.4)).toBe('Uploading 75%');
  expect(renderToStaticMarkup(<ProgressBar label="Uploading" percent={41.6} />)).toContain('42%');
});
