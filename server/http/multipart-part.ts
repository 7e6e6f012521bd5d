import { Readable } from 'node:stream';
import { HEAD_BYTES } from '../files/sniff.ts';
import { asMalformed } from './multipart-limits.ts';
import { PIECE_BYTES } from './request-body.ts';

/** A file as it arrives. */
export interface ArrivingFile {
  /** As the client gave it, without folders. For display, never for a path. */
  name: string;
  /** The first bytes, at most `HEAD_BYTES`; `stream` yields them too. */
  head: Buffer;
  /** All bytes, once. Fails if the upload fails, so that the store discards them. */
  stream: Readable;
}

/** Reads the head of `source` and returns it with a stream of all bytes, as `pieces` reads them. */
export async function openPart(
  source: Readable,
  onBytes: (count: number) => void,
): Promise<Pick<ArrivingFile, 'head' | 'stream'>> {
  const rest = pieces(source, onBytes);
  const first: Buffer[] = [];
  for (let bytes = 0; bytes < HEAD_BYTES; ) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
    bytes += value.length;
  }
  const start = Buffer.concat(first);
  async function* all() {
    if (start.length > 0) yield start;
    yield* rest;
  }
  const stream = Readable.from(all(), { objectMode: false, highWaterMark: PIECE_BYTES });
  // Without a listener, a failure while nobody reads would end the process.
  stream.on('error', () => {});
  return { head: start.subarray(0, HEAD_BYTES), stream };
}

/** The bytes of a part as they arrive. `onBytes` gets the size of each piece first, and may throw. */
export async function* pieces(
  source: Readable,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer, undefined> {
  try {
    for await (const piece of source as AsyncIterable<Buffer>) {
      onBytes(piece.length);
      yield piece;
    }
  } catch (error) {
    throw asMalformed(error);
  }
}
