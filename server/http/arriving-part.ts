import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { UPLOAD_CHUNK_BYTES } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { HEAD_BYTES } from '../files/sniff.ts';

/** A client that sends nothing for this long has stopped, in milliseconds. */
const IDLE_MS = 60_000;
/** Node's default of 64 KiB stops the connection far too often. */
const BUFFER_BYTES = 262_144;

/**
 * Reads a body straight from the connection: a web stream in between would cost more than what
 * is done with it. Of one that is cut, the chunks that came whole are not lost.
 * @param digests SHA-256 of each chunk of UPLOAD_CHUNK_BYTES, in base64; without them chunks are not judged
 */
export function arrivingPart(
  incoming: IncomingMessage,
  digests: readonly string[],
  { idleMs = IDLE_MS } = {},
) {
  const first: Buffer[] = [];
  let received = 0;
  let sound = 0;
  let failure = null as AppError | null;
  let ended = false;
  let hash: Hash | null = null;

  const stream = new Readable({
    highWaterMark: BUFFER_BYTES,
    read: () => void (ended || incoming.resume()),
    destroy(error, done) {
      end(new AppError('UNAVAILABLE', { cause: error }));
      done(null);
    },
  });
  const idle = setTimeout(() => {
    // A client that is kept waiting by us has not stopped.
    if (incoming.isPaused()) idle.refresh();
    else end(new AppError('REQUEST_TIMEOUT'));
  }, idleMs);

  function end(reason: AppError | null): void {
    if (ended) return;
    ended = true;
    failure = reason;
    clearTimeout(idle);
    // The listener for errors stays: a connection may break while the answer is on its way.
    incoming.off('data', onData).off('end', onEnd).off('close', onGone).pause();
    stream.push(null);
  }

  /** @returns false when the chunk that ends here is not what the client read */
  function chunkEnds(): boolean {
    const expected = digests[Math.ceil(received / UPLOAD_CHUNK_BYTES) - 1];
    const isSound = expected === undefined || hash?.digest('base64') === expected;
    hash = null;
    if (isSound) sound = received;
    return isSound;
  }

  function onData(data: Buffer): void {
    idle.refresh();
    if (received < HEAD_BYTES) first.push(data);
    if (!stream.push(data)) incoming.pause();
    for (let taken = 0; taken < data.length; ) {
      const room = UPLOAD_CHUNK_BYTES - (received % UPLOAD_CHUNK_BYTES);
      const piece = data.subarray(taken, taken + room);
      if (digests.length > 0) hash = (hash ?? createHash('sha256')).update(piece);
      taken += piece.length;
      received += piece.length;
      if (piece.length === room && !chunkEnds()) {
        end(new AppError('UPLOAD_PART_CORRUPT'));
        return;
      }
    }
  }
  function onEnd(): void {
    const isWhole = received === sound || chunkEnds();
    end(isWhole ? null : new AppError('UPLOAD_PART_CORRUPT'));
  }
  const onGone = () => end(new AppError('MALFORMED_BODY'));

  incoming.on('data', onData).once('end', onEnd).once('close', onGone);
  incoming.on('error', onGone);
  // Read on demand, so that nothing is taken in for a part that is refused at once.
  incoming.pause();
  // Gone before anybody listened: that is told once only.
  if (incoming.destroyed) onGone();
  return {
    /** What arrives. It ends early, and never fails, when the part cannot be read to its end. */
    stream,
    /** The first bytes that came, at most HEAD_BYTES. */
    head: () => Buffer.concat(first).subarray(0, HEAD_BYTES),
    /** Bytes from the beginning that may be kept: all of a whole part, else its sound whole chunks. */
    sound: () => sound,
    /** Why it ended early. */
    failure: () => failure,
    /** Ends it, for this reason, unless it has ended. */
    stop: (reason: AppError) => end(reason),
  };
}
