import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { CAMERA, clip, largeVideo, pdf, photo, sha256 } from './fixtures.ts';

describe('fixtures are what they say', () => {
  it('a JPEG that carries its camera and its place', async () => {
    const { bytes } = await photo();
    const { format, exif } = await sharp(bytes).metadata();
    expect(format).toBe('jpeg');
    expect(exif?.includes(CAMERA)).toBe(true);
    // The tag of the GPS part (0x8825) and its latitude reference.
    expect(
      exif?.includes(Buffer.from([0x88, 0x25])) || exif?.includes(Buffer.from([0x25, 0x88])),
    ).toBe(true);
  });

  it('an MP4 with its index before its pictures', async () => {
    const { bytes } = await clip();
    const [ftyp, moov, mdat] = ['ftyp', 'moov', 'mdat'].map((box) => bytes.indexOf(box));
    expect(ftyp).toBe(4);
    expect(moov).toBeGreaterThan(4);
    expect(mdat).toBeGreaterThan(moov ?? Number.POSITIVE_INFINITY);
  });

  it('a PDF whose cross-references point at its objects', () => {
    const text = pdf().bytes.toString('latin1');
    const start = Number(/startxref\n(\d+)/.exec(text)?.[1]);
    expect(text.slice(start, start + 4)).toBe('xref');
    const offsets = [...text.matchAll(/(\d{10}) 00000 n/g)].map((match) => Number(match[1]));
    expect(offsets.map((offset) => text.slice(offset, offset + 7))).toEqual(
      [1, 2, 3, 4, 5].map((id) => `${id} 0 obj`),
    );
  });

  it('a large file of exactly the length asked for, twice the same', async () => {
    const read = async () => Buffer.concat(await largeVideo(200_001).toArray());
    const [first, second] = [await read(), await read()];
    expect(first).toHaveLength(200_001);
    expect(sha256(first)).toBe(sha256(second));
  });
});
