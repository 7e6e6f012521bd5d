import { describe, expect, it } from 'vitest';
import { MEGABYTE } from '../../shared/limits.ts';
import { megabytesText } from '../pages/format.ts';
import { addFiles, limitsText } from './pick-files.ts';

const LIMITS = { maxFileMB: 2, maxCapsuleMB: 3, maxFiles: 2, storageLimitMB: 10 };

function file(name: string, type = 'image/png', megabytes = 0.5): File {
  return new File([new Uint8Array(megabytes * MEGABYTE)], name, { type, lastModified: 1 });
}

describe('addFiles', () => {
  it('takes images, videos and PDF, also where the system names no type [5.create.5]', () => {
    const added = [file('a.png'), file('b.avi', ''), file('c.pdf', 'application/pdf')];
    added.push(file('IMG_1.HEIC', ''), file('old.3gp', ''));
    expect(addFiles([], added, null).files).toHaveLength(5);
    const { files, refused } = addFiles([], [file('d.txt', 'text/plain'), file('e', '')], null);
    expect(files).toEqual([]);
    expect(refused).toEqual([
      "We couldn't add d.txt and e. Only images, videos and PDFs work here.",
    ]);
  });

  it('takes what its type or its ending says, since systems report wrong types', () => {
    const unknown = 'application/octet-stream';
    const added = [
      ...['IMG_1.HEIC', 'a.jpeg', 'b.mkv', 'tape.DV', 'scan.pdf', 'c.m2ts'].map((name) =>
        file(name, unknown),
      ),
      ...[
        file('scan', 'application/x-pdf'),
        file('d.pdf', 'text/plain'),
        file('x.bin', 'image/png'),
      ],
    ];
    expect(addFiles([], added, null)).toEqual({ files: added, refused: [] });
    expect(addFiles([], [file('a.zip', unknown), file('pdf', unknown)], null).files).toEqual([]);
  });

  it('leaves to the server what the system does not know', () => {
    const names = ['DSC0001.ARW', 'IMGP1.PEF', 'IMG_1.HIF', 'x.heics', 'b.X3F', 'c.newraw'];
    for (const type of ['', 'application/octet-stream']) {
      const added = names.map((name) => file(name, type));
      expect(addFiles([], added, null)).toEqual({ files: added, refused: [] });
      expect(addFiles([], [file('song.mp3', type), file('a.docx', type)], null).files).toEqual([]);
    }
  });

  it('takes a file once', () => {
    const { files } = addFiles([file('a.png')], [file('a.png'), file('b.png')], LIMITS);
    expect(files.map(({ name }) => name)).toEqual(['b.png']);
  });

  it.each([
    ['empty', [file('a.png', 'image/png', 0)], "We couldn't add a.png. It's empty."],
    [
      'too large',
      [file('a.png', 'image/png', 2.5)],
      "We couldn't add a.png. It's larger than 2 MB.",
    ],
    [
      'too many',
      [file('a.png'), file('b.png'), file('c.png')],
      "We couldn't add c.png. A capsule can hold 2 files.",
    ],
    [
      'too large together',
      [file('a.png', 'image/png', 2), file('b.png', 'image/png', 1.5)],
      "We couldn't add b.png. All files together would be larger than 3 MB.",
    ],
  ])('names what is %s and keeps the rest', (_, added, sentence) => {
    const { files, refused } = addFiles([], added, LIMITS);
    expect(refused).toEqual([sentence]);
    expect(files).toHaveLength(added.length - 1);
  });
});

it('says once for each reason what was left out, with a few names', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => file(`${at}.png`, 'image/png', 0));
  expect(addFiles([], [...many, file('a.txt', 'text/plain')], LIMITS).refused).toEqual([
    "We couldn't add 0.png, 1.png, 2.png and 4997 more. They're empty.",
    "We couldn't add a.txt. Only images, videos and PDFs work here.",
  ]);
});

describe('texts', () => {
  it('name the limits before anything is picked', () => {
    expect(limitsText(LIMITS)).toBe('Up to 2 files, 2 MB each and 3 MB together.');
    expect(limitsText({ ...LIMITS, maxFileMB: 3 })).toBe('Up to 2 files, 3 MB together.');
    expect(limitsText(null)).toBe('');
  });

  it('give sizes in megabytes with two decimals', () => {
    expect(megabytesText(1_572_864)).toBe('1.50 MB');
  });
});
