import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { avifHeader } from '../../../tests/support/fixtures.ts';
import { firstOf } from '../../../tests/support/rare.ts';
import { AppError } from '../../app-error.ts';
import { makeRendition } from './rendition.ts';

const ADA = { userId: 'ada' };
const RED = { r: 255, g: 0, b: 0 };
const BLUE = { r: 0, g: 0, b: 255 };

/** Red on the left, blue on the right. */
const picture = (width = 2_000, height = 1_500) =>
  sharp({ create: { width, height, channels: 3, background: RED } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: BLUE } },
      left: width / 2,
      top: 0,
    },
  ]);

/** A file as a capsule's row names it: flat colours take fewer bytes than photographs do. */
const stored = (type: string, bytes = 4_000_000) => ({ type, bytes });

async function colourAt(image: Buffer, left: number, top: number): Promise<number[]> {
  const pixel = await sharp(image).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...pixel].map((channel) => Math.round(channel / 255) * 255);
}

const KINDS: [string, () => Promise<Buffer>][] = [
  ['image/jpeg', () => picture().jpeg().toBuffer()],
  ['image/png', () => picture().png().toBuffer()],
  ['image/webp', () => picture().webp().toBuffer()],
  ['image/avif', () => picture().avif({ effort: 0 }).toBuffer()],
];
test.each(firstOf(KINDS))('there are two sizes of %s', async (type, make) => {
  const source = await make();
  const sizes = await Promise.all(
    (['small', 'large'] as const).map(async (size) => {
      const made = await makeRendition(ADA, stored(type), size, async () => source);
      const { format, width, height } = await sharp(made).metadata();
      return [format, width, height];
    }),
  );
  expect(sizes).toEqual([
    ['webp', 480, 360],
    ['webp', 1_200, 900],
  ]);
});

test('an image of few pixels is not enlarged', async () => {
  const source = await picture(200, 100).png().toBuffer();
  const made = await makeRendition(ADA, stored('image/png'), 'large', async () => source);
  expect(await sharp(made).metadata()).toMatchObject({ width: 200, height: 100 });
});

test('is upright and says nothing of place, camera or colour profile', async () => {
  const source = await picture()
    .withExif({ IFD0: { Artist: 'Ada' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Ada</x:xmpmeta>')
    .jpeg()
    .toBuffer();
  const made = await makeRendition(ADA, stored('image/jpeg'), 'small', async () => source);
  const { width, height, exif, xmp, iptc, icc, orientation } = await sharp(made).metadata();
  expect([width, height]).toEqual([360, 480]);
  expect([exif, xmp, iptc, icc, orientation]).toEqual(Array(5).fill(undefined));
  expect(made.includes('Ada')).toBe(false);
  // Orientation 6: what lay on the left is now on top.
  expect(await colourAt(made, 180, 40)).toEqual([255, 0, 0]);
  expect(await colourAt(made, 180, 440)).toEqual([0, 0, 255]);
});

describe('there is none, and nothing is read,', () => {
  test.each<[string, string, number]>([
    ['of a small image', 'image/jpeg', 300_000],
    ['of a huge image', 'image/png', 40_000_000],
    ['of a format that is not decoded', 'image/heic', 4_000_000],
    ['of an animation', 'image/gif', 4_000_000],
    ['of a video', 'video/mp4', 4_000_000],
  ])('%s', async (_what, type, bytes) => {
    const made = makeRendition(ADA, stored(type, bytes), 'small', () =>
      Promise.reject(new Error()),
    );
    await expect(made).rejects.toMatchObject({ code: 'FILE_TYPE_NOT_ACCEPTED', status: 415 });
  });
});

test('there is none of an image that takes too much memory, or is no image', async () => {
  const sources: [string, Buffer][] = [
    ['image/avif', await avifHeader(4_000, 4_000)],
    ['image/jpeg', Buffer.from('no photograph')],
  ];
  for (const [type, source] of sources) {
    const made = makeRendition(ADA, stored(type), 'small', async () => source);
    await expect(made).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' });
  }
});

test('a file that cannot be read holds up no other', async () => {
  const source = await picture().jpeg().toBuffer();
  const damaged = () => Promise.reject(new AppError('FILE_DAMAGED'));
  const reads = [damaged, damaged, damaged, async () => source];
  const made = await Promise.allSettled(
    reads.map((read) => makeRendition(ADA, stored('image/jpeg'), 'small', read)),
  );
  expect(made.map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
  ]);
});
