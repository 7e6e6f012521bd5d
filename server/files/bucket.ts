import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { AppError } from '../app-error.ts';
import type { ByteRange, StoredBytes } from './file-store.ts';

export interface BucketOptions {
  /** Origin of the service; buckets are addressed by path. */
  endpoint: string;
  bucket: string;
  region: string;
  /** Without keys, the SDK looks for a role or a session where AWS keeps them. */
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
}

/** A refusal of the service: `status` and its code, such as 403 AccessDenied. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;

  constructor(status: number, code: string) {
    super(`S3 answered ${status} ${code}`);
    this.status = status;
  }
}

export type Bucket = ReturnType<typeof createBucket>;

const TRIES = 4;
const CONNECT_MS = 10_000;
/** Time limit for the head of an answer: enough for one part on any usable connection. */
const ANSWER_MS = 60_000;
/** Longer than a download may pause. */
const SILENT_SOCKET_MS = 300_000;
/** Each download holds one for as long as it takes. */
const SOCKETS = 500;
/** S3's smallest part. 10,000 of them are far more than any file. */
export const PART_BYTES = 5 * 1_048_576;
/** What one upload holds in memory is these parts and the one that is being filled. */
const PARTS_AT_ONCE = 4;
/** S3's limits for a call. */
const DELETED_AT_ONCE = 1_000;
const LISTED_AT_ONCE = 1_000;

/** Statuses of a service that is away or busy, after the SDK's own retries. */
const PASSING = new Set([429, 500, 502, 503, 504]);
/** Codes of services that are full; the standard has none. */
const FULL = /StorageFull|QuotaExceeded|InsufficientStorage|EntityTooLargeForQuota/i;

/**
 * The objects of an S3 bucket. Calls are repeated while the service is unreachable or busy.
 * They throw S3Error for a refusal, AppError UNAVAILABLE when the service stays away and
 * STORAGE_FULL when it has no room.
 * @param answerMs how long the head of an answer may take
 */
export function createBucket(options: BucketOptions, answerMs = ANSWER_MS) {
  const { bucket: Bucket } = options;
  const client = createClient(options, answerMs);

  /** Stores all of `source`, in parallel parts if it is long; the object appears when complete. */
  async function write(key: string, source: Readable): Promise<StoredBytes> {
    const hash = createHash('sha256');
    let bytes = 0;
    async function* hashed() {
      for await (const chunk of source) {
        const piece: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    }
    const Body = Readable.from(hashed(), { objectMode: false });
    const upload = new Upload({
      client,
      params: { Bucket, Key: key, Body },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
      // Where giving up fails too, the SDK would say that, and not why it gave up.
      leavePartsOnError: true,
    });
    try {
      await upload.done();
    } catch (error) {
      // The end of several parts may have succeeded with its answer lost; repeated, it is refused.
      const isWhole = bytes > PART_BYTES && (await size(key).catch(() => null)) === bytes;
      if (!isWhole) {
        if (upload.uploadId) await abortParts(key, upload.uploadId).catch(() => undefined);
        throw error;
      }
    }
    return { bytes, sha256: hash.digest('hex') };
  }

  async function read(key: string, range?: ByteRange) {
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      const answer = await client.send(new GetObjectCommand({ Bucket, Key: key, Range }));
      const whole = answer.ContentRange?.split('/')[1] ?? answer.ContentLength;
      // A body shorter than announced ends in an error, never as a shorter file.
      return { stream: answer.Body as Readable, bytes: Number(whole) };
    } catch (error) {
      // A range of an empty object.
      if (error instanceof S3Error && error.status === 416) {
        return { stream: Readable.from([]), bytes: (await size(key)) ?? 0 };
      }
      return nullIfGone(error);
    }
  }

  async function size(key: string): Promise<number | null> {
    const head = client.send(new HeadObjectCommand({ Bucket, Key: key }));
    return head.then(({ ContentLength = 0 }) => ContentLength, nullIfGone);
  }

  /** Objects that do not exist are no error. @returns why some were not deleted, by their keys */
  async function removeEach(keys: readonly string[]): Promise<Map<string, unknown>> {
    const failures = new Map<string, unknown>();
    for (let start = 0; start < keys.length; start += DELETED_AT_ONCE) {
      const some = keys.slice(start, start + DELETED_AT_ONCE);
      const Delete = { Objects: some.map((Key) => ({ Key })), Quiet: true };
      try {
        const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }));
        for (const { Key = '', Code } of Errors) {
          failures.set(Key, new Error(`S3 did not delete ${Key}: ${Code}`));
        }
      } catch (error) {
        for (const key of some) failures.set(key, error);
      }
    }
    return failures;
  }

  async function remove(keys: readonly string[]): Promise<void> {
    for (const error of (await removeEach(keys)).values()) throw error;
  }

  /** Objects in the order of their keys. */
  async function* list(prefix: string) {
    let Marker: string | undefined;
    do {
      // The list of the first version goes on from a key: every service has it, and needs no token.
      const answer = await client.send(
        new ListObjectsCommand({ Bucket, Prefix: prefix, MaxKeys: LISTED_AT_ONCE, Marker }),
      );
      const { Contents = [], IsTruncated } = answer;
      for (const { Key = '', Size = 0 } of Contents) yield { key: Key, bytes: Size };
      Marker = IsTruncated ? Contents.at(-1)?.Key : undefined;
    } while (Marker !== undefined);
  }

  async function check(): Promise<void> {
    await client.send(new ListObjectsCommand({ Bucket, MaxKeys: 1 }));
  }

  async function abortParts(key: string, UploadId: string): Promise<void> {
    const command = new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId });
    await client.send(command).catch(nullIfGone);
  }

  return {
    write,
    read,
    size,
    remove,
    removeEach,
    list,
    check,
  };
}

function createClient(options: BucketOptions, answerMs: number): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = options;
  const client = new S3Client({
    endpoint,
    region,
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    forcePathStyle: true,
    maxAttempts: TRIES,
    // Every body is signed with its SHA-256. Newer checksums are unknown to many services.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The SDK opens a connection of its own for each call with this header.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: SILENT_SOCKET_MS,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  });
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        throw ourError(error);
      }),
    { step: 'initialize', priority: 'high' },
  );
  // Required in the standard's first version, which many services still follow.
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const { headers, body } = args.request as { headers: Record<string, string>; body: string };
        if (commandName === 'DeleteObjectsCommand') {
          headers['content-md5'] = createHash('md5').update(body).digest('base64');
        }
        return next(args);
      },
    { step: 'build' },
  );
  return client;
}

function ourError(error: unknown): Error {
  const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  // The SDK's own error holds the whole answer, with its socket.
  const cause = status === undefined ? error : new S3Error(status, name);
  if (status === 507 || FULL.test(name)) return new AppError('STORAGE_FULL', { cause });
  if (status === undefined || PASSING.has(status)) {
    return new AppError('UNAVAILABLE', { message: 'The file storage does not answer.', cause });
  }
  return cause as S3Error;
}

function nullIfGone(error: unknown): null {
  if (error instanceof S3Error && error.status === 404) return null;
  throw error;
}
