import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ByteRange } from '../../files/file-store.ts';

interface Opened {
  stream: Readable;
  bytes: number;
}

/** A store that breaks off again and again is not asked for ever. */
const BREAKS_MAX = 10;

/**
 * All bytes of a file. Where reading breaks off, the rest is opened and read from there, because the
 * connection may have failed and not the file. The stream ends early when reading breaks off twice at
 * the same byte or ten times in all, or when there is nothing to open; it fails when opening does.
 * @param first the whole file, opened
 * @param each is told of every piece
 */
export function readOn(
  first: Opened,
  open: (range: ByteRange) => Promise<Opened | null>,
  each: (piece: Buffer) => void,
): Readable {
  const all = new PassThrough();
  let source: Readable | undefined = first.stream;
  // If the reader goes away, the stored file must not stay open.
  all.once('close', () => source?.destroy());
  let at = 0;
  async function pour(): Promise<void> {
    let brokeOffAt = -1;
    let breaks = 0;
    while (source) {
      source.on('data', (piece: Buffer) => {
        at += piece.length;
        each(piece);
      });
      source.pipe(all, { end: false });
      const error = await finished(source).catch((reason: unknown) => reason);
      // A source that fails stays piped: its listeners would add up on the output.
      source.unpipe(all);
      if (!error || all.destroyed || at === brokeOffAt || at >= first.bytes) break;
      breaks += 1;
      if (breaks === BREAKS_MAX) break;
      brokeOffAt = at;
      source = (await open({ start: at, end: first.bytes - 1 }))?.stream;
      if (all.destroyed) source?.destroy();
    }
    all.end();
  }
  pour().catch((error: Error) => all.destroy(error));
  return all;
}
