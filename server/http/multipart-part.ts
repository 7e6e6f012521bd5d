import { Readable } from 'node:stream';
import { HEAD_BYTES } from '../files/sniff.ts';
import { asMalformed, malformed } from './multipart-limits.ts';
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

/**
 * Reads the head of `source` and returns it with a stream of all bytes. `onBytes` gets the size
 * of each piece first; if it throws, the stream fails.
 */
export function openPart(
  source: Readable,
  onBytes: (count: number) => void,
): { stream: Readable; head: Promise<Buffer> } {
  const first: Buffer[] = [];
  let collected = 0;
  let tellHead: ((head: Buffer) => void) | null = null;
  const stream = new Readable({
    highWaterMark: PIECE_BYTES,
    read: () => void source.resume(),
    destroy: (error, done) => {
      source.destroy();
      done(error);
    },
  });
  const head = new Promise<Buffer>((resolve, reject) => {
    tellHead = resolve;
    // Also the listener without which a failure before anybody reads would end the process.
    stream.on('error', reject);
  });
  head.catch(() => {});

  function headDone(): void {
    const bytes = Buffer.concat(first);
    if (bytes.length > 0) stream.push(bytes);
    tellHead?.(bytes.subarray(0, HEAD_BYTES));
    tellHead = null;
  }

  source.on('data', (piece: Buffer) => {
    try {
      onBytes(piece.length);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (!tellHead) {
      if (!stream.push(piece)) source.pause();
      return;
    }
    first.push(piece);
    collected += piece.length;
    if (collected < HEAD_BYTES) return;
    source.pause();
    headDone();
  });
  source.once('end', () => {
    if (tellHead) headDone();
    stream.push(null);
  });
  source.once('error', (error) => stream.destroy(asMalformed(error)));
  source.once('close', () => {
    if (!source.readableEnded) stream.destroy(malformed(null));
  });
  return { stream, head };
}
