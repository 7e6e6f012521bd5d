import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { UPLOAD_CHUNK_BYTES, UPLOAD_PART_MAX_BYTES } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { HEAD_BYTES } from '../files/sniff.ts';
import { type BodyRules, PIECE_BYTES, requestBody } from './request-body.ts';

/**
 * Receives one part of a resumable upload. If the connection is lost, its complete chunks are
 * kept. @param digests SHA-256 of each chunk, in base64; without them chunks are not verified
 */
export function arrivingPart(
  incoming: IncomingMessage,
  digests: readonly string[],
  rules: Pick<BodyRules, 'idleMs' | 'isCrowded'> = {},
) {
  const body = requestBody(incoming, { ...rules, maxBytes: UPLOAD_PART_MAX_BYTES });
  const first: Buffer[] = [];
  let received = 0;
  let sound = 0;
  let failure = null as AppError | null;
  let ended = false;
  let hash: Hash | null = null;

  /** @throws UPLOAD_PART_CORRUPT when the chunk that ends here is not what the client read */
  function endChunk(): void {
    const expected = digests[Math.ceil(received / UPLOAD_CHUNK_BYTES) - 1];
    const isSound = expected === undefined || hash?.digest('base64') === expected;
    hash = null;
    if (!isSound) throw new AppError('UPLOAD_PART_CORRUPT');
    sound = received;
  }

  function judge(data: Buffer): void {
    for (let taken = 0; taken < data.length; ) {
      const room = UPLOAD_CHUNK_BYTES - (received % UPLOAD_CHUNK_BYTES);
      const piece = data.subarray(taken, taken + room);
      if (digests.length > 0) hash = (hash ?? createHash('sha256')).update(piece);
      taken += piece.length;
      received += piece.length;
      if (piece.length === room) endChunk();
    }
  }

  async function* arriving(): AsyncGenerator<Buffer> {
    try {
      for await (const data of body) {
        // Copied, because a view would keep the whole piece for as long as the part takes.
        if (received < HEAD_BYTES) first.push(Buffer.from(data.subarray(0, HEAD_BYTES - received)));
        yield data;
        judge(data);
      }
      if (!failure && received > sound) endChunk();
    } catch (error) {
      failure ??= error as AppError;
    } finally {
      ended = true;
    }
  }

  function stop(reason: AppError): void {
    if (!ended) failure ??= reason;
    void body.return();
  }

  const pieces = arriving();
  const stream = new Readable({
    highWaterMark: PIECE_BYTES,
    async read() {
      const { value } = await pieces.next();
      stream.push(value ?? null);
    },
    destroy(error, done) {
      stop(new AppError('UNAVAILABLE', { cause: error }));
      done(null);
    },
  });
  return {
    /** What arrives. It ends early, and never fails, when the part cannot be read to its end. */
    stream,
    /** The first bytes that came, at most HEAD_BYTES. */
    head: () => Buffer.concat(first),
    /** Bytes from the beginning that may be kept: all of a whole part, else its sound whole chunks. */
    sound: () => sound,
    /** Why it ended early. */
    failure: () => failure,
    /** Ends it, for this reason, unless it has ended. */
    stop,
  };
}
