import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { AppError } from '../app-error.ts';

export interface S3Options {
  /** Origin of the service; buckets are addressed by path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Of the object; absent for the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

export interface S3Client {
  /**
   * Sends a call and retries while the service is unreachable or busy: all calls here can be
   * repeated. @returns the answer with any status
   * @throws AppError UNAVAILABLE when it stays away, STORAGE_FULL when it has no room
   */
  send(call: S3Call): Promise<Response>;
  /** As `send`, but throws S3Error unless the answer is a success. */
  must(call: S3Call): Promise<Response>;
}

/** A refusal of the service: `status` and its code, such as 403 AccessDenied. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`S3 answered ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

const TRIES = 4;
const FIRST_PAUSE_MS = 200;
/** Time limit for the head of an answer: enough for one part on any usable connection. */
const ANSWER_MS = 60_000;
/** Statuses worth a retry. */
const PASSING = new Set([429, 500, 502, 503, 504]);
/** Codes of services that are full; the standard has none. */
const FULL = /StorageFull|QuotaExceeded|InsufficientStorage|EntityTooLargeForQuota/i;

/** @param answerMs how long the head of an answer may take */
export function createS3Client(options: S3Options, answerMs = ANSWER_MS): S3Client {
  const { bucket, region, accessKeyId, secretAccessKey } = options;
  const root = new URL(options.endpoint);

  function addressOf({ key = '', query = {} }: S3Call): string {
    const path = [root.pathname.replace(/\/$/, ''), bucket, key].join('/');
    const url = new URL(path, root);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  async function attempt(call: S3Call): Promise<Response> {
    const hash = createHash('sha256').update(call.body ?? '');
    // The payload's hash is signed with the rest: bytes that change on the way are refused.
    const signer = new AwsV4Signer({
      method: call.method,
      url: addressOf(call),
      headers: { ...call.headers, 'X-Amz-Content-Sha256': hash.digest('hex') },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
    });
    const { method, url, headers } = await signer.sign();
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), answerMs);
    try {
      return await fetch(url, { method, headers, body: call.body, signal: waiting.signal });
    } finally {
      // The body may take longer than the head.
      clearTimeout(timer);
    }
  }

  async function send(call: S3Call): Promise<Response> {
    let cause: unknown;
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries > 0) await delay(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random()));
      try {
        const answer = await attempt(call);
        if (answer.status === 507) throw new AppError('STORAGE_FULL');
        if (!PASSING.has(answer.status)) return answer;
        cause = await errorOf(answer);
      } catch (error) {
        if (error instanceof AppError) throw error;
        cause = error;
      }
    }
    throw new AppError('UNAVAILABLE', { message: 'The file storage does not answer.', cause });
  }

  async function must(call: S3Call): Promise<Response> {
    const answer = await send(call);
    if (answer.ok) return answer;
    const error = await errorOf(answer);
    throw FULL.test(error.code) ? new AppError('STORAGE_FULL', { cause: error }) : error;
  }

  return { send, must };
}

/** Every text between `<name>` and its end, in order; S3's lists nest nothing of one name. */
export function valuesOf(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, value]) =>
    String(value),
  );
}

export async function errorOf(answer: Response): Promise<S3Error> {
  const text = await answer.text().catch(() => '');
  return new S3Error(answer.status, valuesOf(text, 'Code')[0] ?? answer.statusText);
}
