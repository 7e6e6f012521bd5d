import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Avatar } from './avatar.tsx';

const markup = (avatar: string, name = 'Ada') =>
  renderToStaticMarkup(<Avatar avatar={avatar} name={name} />);

describe('an avatar', () => {
  it('takes an address of http or /uploads for an image, and nothing else [2.profile.16 3.entities.19]', () => {
    for (const address of ['https://example.org/a.png', 'http://x.org/a', '/uploads/a.webp']) {
      expect(markup(address)).toContain(`src="${address}"`);
    }
    for (const text of ['A', '/etc/passwd', 'javascript:alert(1)', 'uploads/a.webp', '']) {
      expect(markup(text)).not.toContain('<img');
    }
  });

  it('shows a letter otherwise: of its text, else of the name', () => {
    expect(markup('z')).toContain('>Z<');
    expect(markup('', 'ada')).toContain('>A<');
    expect(markup('', '')).toContain('>U<');
  });
});
