import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { AppError } from '../app-error.ts';
import { acceptedType, sniffType } from './sniff.ts';

const SIDE = 200;
const photo = () =>
  sharp(randomBytes(SIDE * SIDE * 3), { raw: { width: SIDE, height: SIDE, channels: 3 } });
const head = (bytes: Buffer) => bytes.subarray(0, 4_100);
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

describe('refused, whatever their names say', () => {
  test.each<[string, Buffer]>([
    ['a page', Buffer.from('<!DOCTYPE html><html><body><svg></svg></body></html>')],
    ['a page in a comment', Buffer.from('<!-- <svg> --><html></html>')],
    ['other XML', Buffer.from('<?xml version="1.0"?><rss></rss>')],
    [
      'a program',
      Buffer.from(`MZ\x90\0\x03${'\0'.repeat(60)}This program cannot be run`, 'latin1'),
    ],
    ['an archive', Buffer.from('504b030414000000080000000000', 'hex')],
    ['sound', Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1')],
    ['text', Buffer.from('Dear future me,')],
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(4_100)],
  ])('%s', async (_what, bytes) => {
    const failure = await acceptedType(bytes, 'holiday.jpg').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'FILE_TYPE_NOT_ACCEPTED', status: 415 });
    expect(String(failure)).toContain('"holiday.jpg" is not an image, a video or a PDF.');
  });

  test('what is not recognised has no type', async () => {
    expect(await sniffType(Buffer.from('Dear future me,'))).toBeNull();
  });
});
