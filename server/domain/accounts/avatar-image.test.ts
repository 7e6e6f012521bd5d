import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { avifHeader } from '../../../tests/support/fixtures.ts';
import { rare } from '../../../tests/support/rare.ts';
import { reencodeAvatar as reencodeOf } from './avatar-image.ts';

const reencodeAvatar = (upload: Buffer) => reencodeOf(upload, 'ada');

const RED = { r: 255, g: 0, b: 0 };
const BLUE = { r: 0, g: 0, b: 255 };

/** Red on the left, blue on the right. */
const picture = (width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: RED } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: BLUE } },
      left: width / 2,
      top: 0,
    },
  ]);

/** The colour at a place, each channel rounded to nothing or full. */
async function colourAt(image: Buffer, left: number, top: number): Promise<number[]> {
  const pixel = await sharp(image)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer();
  return [...pixel].map((channel) => Math.round(channel / 255) * 255);
}

describe('makes a square WebP of', () => {
  test.each<[string, () => Promise<Buffer>]>([
    ['JPEG', () => picture().jpeg().toBuffer()],
    ['PNG', () => picture().png().toBuffer()],
    ['WebP', () => picture().webp().toBuffer()],
    ['GIF', () => picture().gif().toBuffer()],
    ['AVIF', () => picture().avif({ effort: 0 }).toBuffer()],
  ])('%s', async (_format, make) => {
    const bytes = await reencodeAvatar(await make());
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'webp',
      width: 512,
      height: 512,
    });
    expect(await colourAt(bytes, 50, 256)).toEqual([255, 0, 0]);
    expect(await colourAt(bytes, 460, 256)).toEqual([0, 0, 255]);
  });
});

test('turns it upright and keeps nothing that was written about it', async () => {
  const upload = await picture()
    .withExif({ IFD0: { Artist: 'Ada', Orientation: '6' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Ada</x:xmpmeta>')
    .jpeg()
    .toBuffer();
  expect((await sharp(upload).metadata()).exif).toBeDefined();

  const bytes = await reencodeAvatar(upload);
  const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
  expect([exif, xmp, iptc, icc, orientation]).toEqual(Array(5).fill(undefined));
  expect(bytes.includes('Ada')).toBe(false);
  // Orientation 6: what lay on the left is now on top.
  expect(await colourAt(bytes, 256, 50)).toEqual([255, 0, 0]);
  expect(await colourAt(bytes, 256, 460)).toEqual([0, 0, 255]);
});

test('drops what was appended to the picture', async () => {
  const upload = Buffer.concat([await picture().png().toBuffer(), Buffer.from('<script>')]);
  const bytes = await reencodeAvatar(upload);
  expect(bytes.includes('<script>')).toBe(false);
});

describe('refuses', () => {
  test.each<[string, Buffer]>([
    ['PDF', Buffer.from('%PDF-1.7')],
    ['text', Buffer.from('a picture of me')],
    ['nothing', Buffer.alloc(0)],
  ])('%s as no image', async (_what, upload) => {
    await expect(reencodeAvatar(upload)).rejects.toMatchObject({
      code: 'FILE_TYPE_NOT_ACCEPTED',
      message: 'Please select an image file',
    });
  });

  test.each(['heic', 'tiff', 'bmp', 'svg'])('%s by its name', async (format) => {
    const upload = {
      heic: Buffer.from('000000186674797068656963000000006d69663168656963', 'hex'),
      tiff: await picture().tiff().toBuffer(),
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      bmp: Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)]),
    }[format];
    await expect(reencodeAvatar(upload ?? Buffer.alloc(0))).rejects.toMatchObject({
      code: 'FILE_TYPE_NOT_ACCEPTED',
      message: `We can't read ${format.toUpperCase()} pictures here. Please choose a JPEG or PNG.`,
    });
  });

  test('a moving AVIF by its name', async () => {
    const still = await picture().avif({ effort: 0 }).toBuffer();
    const moving = Buffer.from(still.subarray(0, 200));
    moving.write('avis', 8, 'latin1');
    await expect(reencodeAvatar(moving)).rejects.toMatchObject({
      code: 'FILE_TYPE_NOT_ACCEPTED',
      message: "We can't read moving AVIF pictures here. Please choose a JPEG or PNG.",
    });
  });

  test('a picture of which nothing can be read', async () => {
    const jpeg = await picture(2_000, 2_000).jpeg().toBuffer();
    const webp = await picture().webp().toBuffer();
    for (const upload of [
      jpeg.subarray(0, 100),
      pngHeader(10, 10).subarray(0, 40),
      webp.subarray(0, 60),
    ]) {
      await expect(reencodeAvatar(upload)).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' });
    }
  });

  test('a picture of too many pixels, without decoding it', async () => {
    const before = process.memoryUsage.rss();
    const failure = reencodeAvatar(pngHeader(50_000, 50_000));
    await expect(failure).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE', status: 400 });
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1_048_576);
  });
});

rare('a small picture waits for no large one', async () => {
  const large = await picture(2_000, 2_000).removeAlpha().avif({ effort: 0 }).toBuffer();
  const small = await picture().jpeg().toBuffer();
  const done: string[] = [];
  const send = async (personId: string, upload: Buffer) => {
    await reencodeOf(upload, personId);
    done.push(personId);
  };
  await Promise.all([send('eve', large), send('eve', large), send('ada', small)]);
  expect(done).toEqual(['ada', 'eve', 'eve']);
});

describe('takes, as browsers do,', () => {
  const colours = () => picture(900, 600).jpeg({ progressive: true }).toBuffer();
  test.each<[string, () => Promise<Buffer>]>([
    ['a JPEG without its end', async () => (await picture().jpeg().toBuffer()).subarray(0, -2)],
    ['a progressive JPEG that was cut off', async () => (await colours()).subarray(0, -400)],
    ['a JPEG in CMYK', () => picture().toColourspace('cmyk').jpeg().toBuffer()],
    ['a PNG of 16 bits', () => picture().toColourspace('rgb16').png().toBuffer()],
    [
      'an animated WebP',
      async () => {
        const frames = [
          await picture().png().toBuffer(),
          await picture().negate().png().toBuffer(),
        ];
        return sharp(frames, { join: { animated: true } })
          .webp()
          .toBuffer();
      },
    ],
  ])('%s', async (_what, make) => {
    const bytes = await reencodeAvatar(await make());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 512, height: 512 });
    expect(await colourAt(bytes, 50, 50)).toEqual([255, 0, 0]);
  });

  rare('an AVIF of 12 megapixels, as cameras make them', async () => {
    const photo = await picture(4_000, 3_000).removeAlpha().avif({ effort: 0 }).toBuffer();
    const bytes = await reencodeAvatar(photo);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 512, height: 512 });
    expect(await colourAt(bytes, 50, 50)).toEqual([255, 0, 0]);
  });
});

test('many at once all come out', async () => {
  const uploads = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((n) =>
      picture(n * 100)
        .png()
        .toBuffer(),
    ),
  );
  const made = await Promise.all(uploads.map((upload) => reencodeAvatar(upload)));
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(new Set(made.map((bytes) => hash(bytes))).size).toBeGreaterThan(1);
});

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['a PNG of 25 megapixels and 16 bits', () => pngHeader(5_000, 5_000, 16)],
  ['an AVIF of 16 megapixels', () => avifHeader(4_000, 4_000)],
  ['a progressive JPEG of 40 megapixels', () => progressiveHeader(8_000, 5_000)],
])('refuses %s for the memory that it takes', async (_what, make) => {
  const made = reencodeAvatar(await make());
  await expect(made).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' });
  await expect(made).rejects.toThrow('too many pixels');
});

rare('takes a JPEG of 64 megapixels, as phones make them', async () => {
  const bytes = await reencodeAvatar(await picture(9_300, 6_900).jpeg().toBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 512, height: 512 });
});

/** A small JPEG, loaded bit by bit, that says how large it is. */
async function progressiveHeader(width: number, height: number): Promise<Buffer> {
  const jpeg = await picture().jpeg({ progressive: true }).toBuffer();
  const frame = jpeg.indexOf('ffc2', 'hex');
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

/** A PNG that says how large it is and has one row of pixels at most. */
function pngHeader(width: number, height: number, depth = 8): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([depth, 6], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.alloc(41))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
