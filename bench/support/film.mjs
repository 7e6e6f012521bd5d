import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';

const MEGABYTE = 1_048_576;
/** The first bytes of an MP4 file, by which the server recognises a video. */
export const FILM_HEAD = Buffer.from(
  '000000206674797069736f6d0000020069736f6d69736f32617663316d703431',
  'hex',
);

/** Writes a film that no disk and no database can compress. */
export async function writeFilm(path, megabytes) {
  const file = await open(path, 'w');
  for (let written = 0; written < megabytes; written += 1) {
    const block = randomBytes(MEGABYTE);
    if (written === 0) FILM_HEAD.copy(block);
    await file.write(block);
  }
  await file.close();
}
