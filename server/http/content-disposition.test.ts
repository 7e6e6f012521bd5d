import { expect, test } from 'vitest';
import { contentDisposition, safeFileName } from './content-disposition.ts';

test.each([
  ['photo.jpg', 'photo.jpg'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['..\\up.pdf', '_up.pdf'],
  ['a\r\nSet-Cookie: x=1\0.pdf', 'aSet-Cookie_ x=1.pdf'],
  ['cod\u202Egpj.exe', 'codgpj.exe'],
  ['say "hi".mp4', 'say _hi_.mp4'],
  ['  .hidden. ', 'hidden'],
  ['CON', '_CON'],
  ['con.pdf', '_con.pdf'],
  ['contents.pdf', 'contents.pdf'],
  ['', 'file'],
  ['///', '___'],
  ['...', 'file'],
  ['lone \uD800 half', 'lone \uFFFD half'],
  ['отпуск 🏖.jpg', 'отпуск 🏖.jpg'],
])('%j is saved as %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe);
});

test('a name of 1,000 characters keeps its extension', () => {
  const safe = safeFileName(`${'🏖'.repeat(1_000)}.jpeg`);
  expect([...safe]).toHaveLength(255);
  expect(safe.endsWith('🏖.jpeg')).toBe(true);
});

test('the header carries a plain and an exact name', () => {
  expect(contentDisposition('attachment', "Ada's 100% (été).pdf")).toBe(
    `attachment; filename="Ada's 100_ (_t_).pdf"; filename*=UTF-8''Ada%27s%20100%25%20%28%C3%A9t%C3%A9%29.pdf`,
  );
});

test.each(['a\r\nb', 'a"b\\c', '\u202E', 'ü'.repeat(1_000), '\uDC00'])(
  'the header for %j is one line of printable ASCII',
  (name) => {
    expect(contentDisposition('inline', name)).toMatch(
      /^inline; filename="[\x20-\x21\x23-\x5B\x5D-\x7E]+"; filename\*=UTF-8''[\w.%~-]+$/,
    );
  },
);
