import { expect, it } from 'vitest';
import { archivePath } from './archive-path.ts';

const path = (name: string, type = 'image/jpeg') =>
  archivePath({ capsuleId: 'c', position: 0, name, type });

it('keeps a name that every system can save', () => {
  expect(path('Grandma at the lake.jpg')).toBe('files/c/01 Grandma at the lake.jpg');
  expect(path('../a/b: "c".jpg')).toBe('files/c/01 __a_b_ _c_.jpg');
  expect(path('IMG_0412.HEIC', 'image/heic')).toBe('files/c/01 IMG_0412.HEIC');
  expect(path('scan.CR2', 'image/x-canon-cr2')).toBe('files/c/01 scan.CR2');
});

it.each([
  ['picture.html', 'image/gif', 'picture.html.gif'],
  ['picture.gif.', 'image/gif', 'picture.gif_.gif'],
  ['setup.exe', 'application/pdf', 'setup.exe.pdf'],
  ['note.svg.js', 'image/svg+xml', 'note.svg.js.svg.txt'],
  ['drawing.SVG', 'image/svg+xml', 'drawing.SVG.txt'],
  ['drawing', 'image/svg+xml', 'drawing.svg.txt'],
  ['picture.svg', 'application/pdf', 'picture.svg.pdf'],
  ['noname', 'video/mp4', 'noname.mp4'],
  ['odd.hta', 'image/x-odd', 'odd.hta.bin'],
  [`${'x'.repeat(300)}.html`, 'image/png', `${'x'.repeat(231)}.html.png`],
])('never ends like a page or a program: %s, %s', (name, type, saved) => {
  expect(path(name, type)).toBe(`files/c/01 ${saved}`);
});
