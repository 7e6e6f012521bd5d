import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { FarPicture } from './far-picture.tsx';

it('fetches a small picture by itself only where every browser can draw it', () => {
  vi.stubGlobal('navigator', { onLine: true });
  const shown = (type: string) => {
    const file = { id: '7', name: 'The lake', type, size: 90_000 };
    return renderToStaticMarkup(<FarPicture draftId="1" file={file} />);
  };
  expect(shown('image/jpeg')).toContain('<img');
  expect(shown('image/heic')).not.toContain('<img');
});
