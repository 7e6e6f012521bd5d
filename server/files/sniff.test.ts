import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { AppError } from '../app-error.ts';
import { acceptedType, HEAD_BYTES, sniffType } from './sniff.ts';

const SIDE = 200;
const photo = () =>
  sharp(randomBytes(SIDE * SIDE * 3), { raw: { width: SIDE, height: SIDE, channels: 3 } });
const head = (bytes: Buffer) => bytes.subarray(0, HEAD_BYTES);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

describe('accepted by content', () => {
  test.each<[string, () => Promise<Buffer> | Buffer]>([
    [
      'image/jpeg',
      () =>
        photo()
          .withExif({ IFD0: { Artist: 'Ada' } })
          .jpeg()
          .toBuffer(),
    ],
    ['image/png', () => photo().png().toBuffer()],
    // A colour profile moves the pixels of a PNG far behind the head.
    ['image/png', () => photo().withIccProfile('p3').png().toBuffer()],
    ['image/webp', () => photo().webp().toBuffer()],
    ['image/gif', () => photo().gif().toBuffer()],
    ['image/avif', () => photo().avif({ effort: 0 }).toBuffer()],
    ['image/tiff', () => photo().tiff({ compression: 'none' }).toBuffer()],
    ['video/mp4', () => readFile(new URL('../../tests/fixtures/clip.mp4', import.meta.url))],
    [
      'video/webm',
      () => Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
    ],
    [
      'video/quicktime',
      () => Buffer.from('00000014667479707174202000000200717420200000000877696465', 'hex'),
    ],
    ['application/pdf', () => Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj')],
    ['application/pdf', () => Buffer.from('\r\n %PDF-1.4\n')],
    ['image/svg+xml', () => Buffer.from(svg)],
    [
      'image/svg+xml',
      () =>
        Buffer.from(
          `\uFEFF<?xml version="1.0"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "x" "y" [<!ENTITY a "b">]>\n${svg}`,
        ),
    ],
  ])('%s', async (type, bytes) => {
    expect(await acceptedType(head(await bytes()), 'whatever.exe')).toBe(type);
  });
});

const atom = (kind: string, content: Buffer | string = '') => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(8 + content.length);
  return Buffer.concat([length, Buffer.from(kind), Buffer.from(content)]);
};

/** The first page of a stream in an Ogg file. */
const oggPage = (content: string) => {
  const header = Buffer.alloc(28);
  header.write('OggS');
  header.set([2], 5);
  header.set([1, content.length], 26);
  return Buffer.concat([header, Buffer.from(content, 'latin1')]);
};

const illustrator = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator, it's > [old] -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd" [
  <!ENTITY ns "http://ns.adobe.com/a]b>c"><!-- don't -->
]>
${svg}`;

describe('accepted, though it shows its kind late:', () => {
  test.each<[string, string, Buffer]>([
    ['a PDF behind a line', 'application/pdf', Buffer.from('Case 16, copy\n%PDF-1.4\n')],
    ['a PDF behind zeros', 'application/pdf', Buffer.from(`\0\0\0\0%PDF-1.4\n`)],
    ['a PDF behind 1,000 bytes', 'application/pdf', Buffer.from(`${'x'.repeat(1_000)}%PDF-1.4`)],
    ['a PDF with a mark of UTF-8', 'application/pdf', Buffer.from('\uFEFF%PDF-1.4\n')],
    [
      'a drawing behind a long comment',
      'image/svg+xml',
      Buffer.from(`<!--${'x'.repeat(9_000)}-->${svg}`),
    ],
    ['a drawing of Illustrator', 'image/svg+xml', Buffer.from(illustrator)],
    ['a drawing with a prefix', 'image/svg+xml', Buffer.from('<svg:svg xmlns:svg="x"/>')],
    ['a drawing in UTF-16', 'image/svg+xml', Buffer.from(`\uFEFF${svg}`, 'utf16le')],
    [
      'a WMV behind a list of properties, with its sound first',
      'video/x-ms-asf',
      Buffer.concat([
        Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
        Buffer.alloc(9_000),
        // The streams: 'audio media', then 'video media'.
        Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex'),
        Buffer.from('c0ef19bc4d5bcf11a8fd00805f5c442b', 'hex'),
      ]),
    ],
    ['a tape', 'video/x-dv', Buffer.from('1f07003f6878787c', 'hex')],
  ])('%s', async (_what, type, bytes) => {
    expect(await acceptedType(head(bytes), 'whatever')).toBe(type);
  });
});

describe('refused, whatever their names say', () => {
  test.each<[string, Buffer]>([
    ['a page', Buffer.from('<!DOCTYPE html><html><body><svg></svg></body></html>')],
    ['a page in a comment', Buffer.from('<!-- <svg> --><html></html>')],
    ['other XML', Buffer.from('<?xml version="1.0"?><rss></rss>')],
    [
      'a program',
      Buffer.from(`MZ\x90\0\x03${'\0'.repeat(60)}This program cannot be run`, 'latin1'),
    ],
    ['sound', Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1')],
    ['text', Buffer.from('Dear future me,')],
    ['text about a PDF', Buffer.from(`${'x'.repeat(1_100)}%PDF-1.4`)],
    ['sound in Ogg', oggPage('\x01vorbis')],
    ['sound in MPEG-4', Buffer.concat([atom('ftyp', 'M4A \0\0\0\0'), atom('moov')])],
    ['a page behind a doctype', Buffer.from('<!DOCTYPE svg><html></html>')],
    ['nothing', Buffer.alloc(0)],
    [
      'sound of Windows',
      Buffer.from('3026b2758e66cf11a6d900aa0062ce6c409e69f84d5bcf11a8fd00805f5c442b', 'hex'),
    ],
    ['zeros', Buffer.alloc(4_100)],
  ])('%s', async (_what, bytes) => {
    const failure = await acceptedType(bytes, 'holiday.jpg').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'FILE_TYPE_NOT_ACCEPTED', status: 415 });
    expect(String(failure)).toContain('"holiday.jpg" is not an image, a video or a PDF.');
  });

  test.each(['1f8b0800000000000003', '504b030414000000080000000000'])(
    'a packed one says so: %s',
    async (bytes) => {
      const packed = acceptedType(Buffer.from(bytes, 'hex'), 'drawing.svgz');
      await expect(packed).rejects.toThrow('"drawing.svgz" is compressed. Please unpack it first.');
    },
  );

  test('what is not recognised has no type', async () => {
    expect(await sniffType(Buffer.from('Dear future me,'))).toBeNull();
  });
});

test.each(['<!DOCTYPE svg ', '<!DOCTYPE svg [<!', '<!---->', '<?a?>'])(
  'a head full of %j costs linear time',
  async (piece) => {
    const bytes = Buffer.from(piece.repeat(HEAD_BYTES), 'latin1').subarray(0, HEAD_BYTES);
    const before = process.cpuUsage();
    await sniffType(bytes);
    const { user, system } = process.cpuUsage(before);
    // A few milliseconds; the square of its length would take seconds.
    expect((user + system) / 1_000).toBeLessThan(250);
  },
);
