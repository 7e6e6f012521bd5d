import { createCipheriv, createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import sharp from 'sharp';

export interface FixtureFile {
  name: string;
  /** MIME type. */
  type: string;
  bytes: Buffer;
}

/** The camera that the photo's EXIF names; it must come back with a capsule, and never in an avatar. */
export const CAMERA = 'Attic Camera 3000';

/** A photo as a phone makes it, the same bytes each time: grain over a gradient, with EXIF that tells camera and place. */
export async function photo(
  name = 'Grandma at the lake.jpg',
  { width, height } = { width: 640, height: 480 },
): Promise<FixtureFile> {
  const grain = Buffer.concat(await largeVideo(width * height * 3, name).toArray());
  const pixels = grain.map((value, at) => (value >> 2) + Math.floor((at * 160) / grain.length));
  const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .withExif({
      IFD0: { Make: 'Attic', Model: CAMERA, Copyright: 'The family' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 31/1 12/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 18/1',
      },
    })
    .jpeg({ quality: 82 })
    .toBuffer();
  return { name, type: 'image/jpeg', bytes };
}

/** One second of H.264 and AAC in an MP4 (64 × 64), made once with ffmpeg's test source. */
export async function clip(name = 'First steps.mp4'): Promise<FixtureFile> {
  const bytes = await readFile(new URL('../fixtures/clip.mp4', import.meta.url));
  return { name, type: 'video/mp4', bytes };
}

/** A photograph as iPhones keep it (HEIC, 64 × 48), made once with heif-enc; Chromium cannot draw it. */
export async function heic(name = 'IMG_0412.HEIC'): Promise<FixtureFile> {
  const bytes = await readFile(new URL('../fixtures/photo.heic', import.meta.url));
  return { name, type: 'image/heic', bytes };
}

/** A small AVIF with transparency that says it is this large. */
export async function avifHeader(width: number, height: number): Promise<Buffer> {
  const create = { width: 64, height: 64, channels: 4, background: '#f008' } as const;
  const avif = await sharp({ create }).avif({ effort: 0 }).toBuffer();
  // Of the colours and of the transparency.
  for (let at = avif.indexOf('ispe'); at >= 0; at = avif.indexOf('ispe', at + 1)) {
    avif.writeUInt32BE(width, at + 8);
    avif.writeUInt32BE(height, at + 12);
  }
  return avif;
}

/** One page of PDF 1.4 with `text` on it, its cross-reference table exact. */
export function pdf(name = 'The letter.pdf', text = 'For the day it opens'): FixtureFile {
  const content = `BT /F1 24 Tf 72 720 Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return { name, type: 'application/pdf', bytes: Buffer.from(file, 'latin1') };
}

/** Lower-case hex, as the server keeps it. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * A file too large to hold: `length` bytes that no one can compress, the same for the same seed.
 * It begins as an MP4 does, so that it is taken for a video.
 */
export function largeVideo(length: number, seed = 'seed'): Readable {
  const head = Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex');
  return Readable.from(largeChunks(head, length, seed));
}

function* largeChunks(head: Buffer, length: number, seed: string): Generator<Buffer> {
  const key = createHash('sha256').update(seed).digest();
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const zeros = Buffer.alloc(65_536);
  yield head.subarray(0, length);
  for (let left = length - head.length; left > 0; left -= zeros.length) {
    yield cipher.update(zeros.subarray(0, Math.min(left, zeros.length)));
  }
}
