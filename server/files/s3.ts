import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  type ByteRange,
  type FileStore,
  MissingBytesError,
  type StoredBytes,
} from './file-store.ts';
import { assertKey, isOwnKey, OWN_PREFIXES } from './keys.ts';
import { measure } from './measure.ts';
import { errorOf, type S3Client, S3Error, valuesOf } from './s3-client.ts';
import { fileKeyOf, findPieces, type Piece, pieceKey } from './s3-pieces.ts';

/** S3's smallest part, and what one upload holds in memory. 10,000 of them are far more than any file. */
const PART_BYTES = 5 * 1_048_576;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Files as objects of an S3 bucket, under their own keys. What fits one part is put whole; more
 * goes as a multipart upload, which appears under its key when it is complete and not before.
 */
export function createS3Store(client: S3Client, keysAtOnce = 1_000): FileStore {
  async function write(key: string, source: Readable): Promise<StoredBytes> {
    source.on('error', () => {});
    const hash = createHash('sha256');
    let bytes = 0;
    let upload: Multipart | null = null;
    try {
      assertKey(key);
      for await (const part of partsOf(source)) {
        hash.update(part);
        bytes += part.length;
        // More may follow a full part, which only a multipart upload can wait for.
        if (!upload && part.length === PART_BYTES) upload = await startMultipart(client, key);
        if (upload) await upload.add(part);
        else await client.must({ method: 'PUT', key, body: part });
      }
      if (upload) await upload.complete(bytes);
      else if (bytes === 0) await client.must({ method: 'PUT', key, body: new Uint8Array() });
      return { bytes, sha256: hash.digest('hex') };
    } catch (error) {
      source.destroy();
      if (upload) await upload.abort().catch(() => undefined);
      throw error;
    }
  }

  async function read(key: string, range?: ByteRange) {
    assertKey(key);
    const headers = range && { range: `bytes=${range.start}-${range.end}` };
    const answer = await client.send({ method: 'GET', key, ...(headers && { headers }) });
    if (answer.status === 404) return null;
    // A range of an empty object.
    if (answer.status === 416) {
      await answer.body?.cancel();
      const head = await client.must({ method: 'HEAD', key });
      return { stream: Readable.from([]), bytes: lengthOf(head) };
    }
    if (!answer.ok) throw await errorOf(answer);
    const whole = answer.headers.get('content-range')?.split('/')[1];
    // A body shorter than announced ends in an error, never as a shorter file.
    const stream = answer.body
      ? Readable.fromWeb(answer.body as ReadableStream)
      : Readable.from([]);
    return { stream, bytes: whole === undefined ? lengthOf(answer) : Number(whole) };
  }

  async function size(key: string): Promise<number | null> {
    assertKey(key);
    const answer = await client.send({ method: 'HEAD', key });
    if (answer.status === 404) return null;
    if (!answer.ok) throw await errorOf(answer);
    return lengthOf(answer);
  }

  async function append(key: string, at: number, source: Readable): Promise<number> {
    source.on('error', () => {});
    try {
      assertKey(key);
      const pieces = await findPieces(client, key);
      if (at > 0 && !pieces.some(({ start }) => start < at))
        throw new MissingBytesError('no piece');
      for (const { key: piece, start } of pieces) if (start >= at) await removeObject(piece);
      // Afterwards an object under the key itself means a finished file.
      if (at === 0) await removeObject(key);
      return (await write(pieceKey(key, at), source)).bytes;
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async function finish(key: string, bytes: number): Promise<StoredBytes> {
    assertKey(key);
    const pieces = await findPieces(client, key);
    const source = Readable.from(bytesOf(pieces, bytes), { objectMode: false });
    const stored = await write(key, source).catch(async (error: unknown) => {
      if (!(error instanceof MissingBytesError)) throw error;
      return measureFinished(key, bytes, error);
    });
    for (const piece of pieces) await removeObject(piece.key);
    return stored;
  }

  /** Asked again, its pieces may be gone, and the file is there. @throws `missing` when it is not */
  async function measureFinished(key: string, bytes: number, missing: MissingBytesError) {
    const finished = await read(key);
    if (finished?.bytes === bytes) return measure(finished.stream);
    finished?.stream.destroy();
    throw missing;
  }

  /** Each piece up to where the next one begins. @throws {MissingBytesError} */
  async function* bytesOf(pieces: readonly Piece[], bytes: number): AsyncGenerator<Uint8Array> {
    let at = 0;
    for (const [index, { key, start }] of pieces.entries()) {
      const end = pieces[index + 1]?.start ?? bytes;
      const stored =
        start === at && start < end ? await read(key, { start: 0, end: end - start - 1 }) : null;
      if (!stored) break;
      for await (const piece of stored.stream as AsyncIterable<Uint8Array>) {
        at += piece.length;
        yield piece;
      }
      if (at !== end) break;
    }
    if (at !== bytes) throw new MissingBytesError(`${bytes - at} bytes are missing`);
  }

  async function remove(key: string): Promise<void> {
    assertKey(key);
    await removeObject(key);
    for (const piece of await findPieces(client, key)) await removeObject(piece.key);
  }

  async function removeObject(key: string): Promise<void> {
    const answer = await client.send({ method: 'DELETE', key });
    if (!answer.ok && answer.status !== 404) throw await errorOf(answer);
  }

  async function* list() {
    for (const prefix of OWN_PREFIXES) yield* listOf(prefix);
  }

  async function* listOf(prefix: string) {
    const query: Record<string, string> = { prefix, 'max-keys': String(keysAtOnce) };
    let before = '';
    for (;;) {
      const answer = await client.must({ method: 'GET', query });
      const now = dateOf(answer);
      const xml = await answer.text();
      const changed = valuesOf(xml, 'LastModified');
      const keys = valuesOf(xml, 'Key');
      for (const [index, objectKey] of keys.entries()) {
        const key = fileKeyOf(objectKey);
        if (key === before || !isOwnKey(key)) continue;
        before = key;
        yield { key, ageMs: now - Date.parse(changed[index] ?? '') };
      }
      const last = keys.at(-1);
      if (valuesOf(xml, 'IsTruncated')[0] !== 'true' || last === undefined) return;
      // The list of the first version goes on from a key: every service has it, and it needs no token.
      query.marker = last;
    }
  }

  async function check(): Promise<void> {
    const query = { 'max-keys': '1' };
    await (await client.must({ method: 'GET', query })).body?.cancel();
  }

  async function removeStale(olderThanMs: number): Promise<number> {
    let removed = 0;
    for await (const { key, uploadId, ageMs } of multiparts()) {
      if (ageMs < olderThanMs || !isOwnKey(fileKeyOf(key))) continue;
      await client.send({ method: 'DELETE', key, query: { uploadId } });
      removed += 1;
    }
    return removed;
  }

  /** Unfinished multipart uploads of the bucket, including those of other programs. */
  async function* multiparts() {
    const query: Record<string, string> = { uploads: '' };
    for (;;) {
      const answer = await client.send({ method: 'GET', query });
      // Not every service has this list; their own rules for abandoned uploads have to do.
      if (answer.status === 501) return;
      if (!answer.ok) throw await errorOf(answer);
      const now = dateOf(answer);
      const xml = await answer.text();
      const started = valuesOf(xml, 'Initiated');
      const ids = valuesOf(xml, 'UploadId');
      for (const [index, key] of valuesOf(xml, 'Key').entries()) {
        const ageMs = now - Date.parse(started[index] ?? '');
        yield { key, uploadId: ids[index] ?? '', ageMs };
      }
      const [nextKey] = valuesOf(xml, 'NextKeyMarker');
      if (valuesOf(xml, 'IsTruncated')[0] !== 'true' || nextKey === undefined) return;
      query['key-marker'] = nextKey;
      query['upload-id-marker'] = valuesOf(xml, 'NextUploadIdMarker')[0] ?? '';
    }
  }

  return { write, append, finish, read, size, delete: remove, list, check, removeStale };
}

interface Multipart {
  add(part: Bytes): Promise<void>;
  complete(bytes: number): Promise<void>;
  abort(): Promise<void>;
}

async function startMultipart(client: S3Client, key: string): Promise<Multipart> {
  const started = await client.must({ method: 'POST', key, query: { uploads: '' } });
  const uploadId = valuesOf(await started.text(), 'UploadId')[0];
  if (!uploadId) throw new Error('S3 began an upload without an id.');
  const etags: string[] = [];
  return {
    async add(part) {
      const query = { partNumber: String(etags.length + 1), uploadId };
      const answer = await client.must({ method: 'PUT', key, query, body: part });
      etags.push(answer.headers.get('etag') ?? '');
    },
    async complete(bytes) {
      const parts = etags.map(
        (etag, index) =>
          `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
      );
      const body = new TextEncoder().encode(
        `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
      );
      try {
        const answer = await client.must({ method: 'POST', key, query: { uploadId }, body });
        // S3 may send an error after a 200.
        const [code] = valuesOf(await answer.text(), 'Code');
        if (code !== undefined) throw new S3Error(answer.status, code);
      } catch (error) {
        // An earlier attempt may have succeeded with its answer lost. Then the object exists.
        const head = await client.send({ method: 'HEAD', key });
        if (!head.ok || lengthOf(head) !== bytes) throw error;
      }
    },
    async abort() {
      await client.send({ method: 'DELETE', key, query: { uploadId } });
    },
  };
}

/** The source in parts of exactly PART_BYTES, the last one shorter; none for an empty source. */
async function* partsOf(source: Readable): AsyncGenerator<Bytes> {
  // One buffer for all parts: the next is filled when the one before has arrived.
  const buffer = new Uint8Array(PART_BYTES);
  let filled = 0;
  for await (const chunk of source) {
    const bytes: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let taken = 0; taken < bytes.length; ) {
      const count = Math.min(PART_BYTES - filled, bytes.length - taken);
      buffer.set(bytes.subarray(taken, taken + count), filled);
      filled += count;
      taken += count;
      if (filled === PART_BYTES) {
        yield buffer;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

function lengthOf(answer: Response): number {
  return Number(answer.headers.get('content-length') ?? 0);
}

/** The service's own clock. */
function dateOf(answer: Response): number {
  const date = Date.parse(answer.headers.get('date') ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}
