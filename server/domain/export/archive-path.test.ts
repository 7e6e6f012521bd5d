import { expect, it } from 'vitest';
import { archivePath, capsuleFolder } from './archive-path.ts';

const path = (name: string, type = 'image/jpeg') =>
  archivePath('files/c', { position: 0, name, type });

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
  [`${'x'.repeat(300)}.html`, 'image/png', `${'x'.repeat(71)}.html.png`],
])('never ends like a page or a program: %s, %s', (name, type, saved) => {
  expect(path(name, type)).toBe(`files/c/01 ${saved}`);
});

it.each([
  ['For your eighteenth birthday', '007 2029-12-24 For your eighteenth birthday'],
  ['../Mum: "what now?"...', '007 2029-12-24 __Mum_ _what now___'],
  ['رسالة\u202E \u0000', '007 2029-12-24 رسالة_ _'],
  ['湖'.repeat(30), `007 2029-12-24 ${'湖'.repeat(20)}`],
  [`${'x'.repeat(59)}. rest`, `007 2029-12-24 ${'x'.repeat(59)}`],
])('a folder is named after its capsule: %j', (title, folder) => {
  expect(capsuleFolder(7, { dateToUnlock: '2029-12-24', title })).toBe(`files/${folder}`);
});

it.each([
  ['a', 'jpg'],
  ['湖', 'jpg'],
  ['👩‍👩‍👧', 'HEIC'],
])('a path of many %s fits into Windows, and every name into other systems', (letter, ending) => {
  const folder = capsuleFolder(1_234, { dateToUnlock: '2029-12-24', title: letter.repeat(100) });
  const names = [8, 9, 100].map((position) =>
    archivePath(folder, { position, name: `${letter.repeat(255)}.${ending}`, type: 'image/heic' }),
  );
  expect(new Set(names).size).toBe(3);
  for (const name of names) {
    expect(name.length).toBeLessThanOrEqual(180);
    expect(name.endsWith(`.${ending}`)).toBe(true);
    expect(name.isWellFormed()).toBe(true);
    for (const part of name.split('/')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
  }
});
