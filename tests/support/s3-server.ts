import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What is done to a call instead of answering it, or to its answer. */
export type S3Fate =
  | 'pass'
  | 'refuse-500'
  | 'refuse-503'
  | 'refuse-507'
  | 'lose-answer'
  | 'cut-body';

export interface S3Server {
  options: {
    endpoint: string;
    bucket: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
  };
  /** Decides over each call from now on. */
  fate: (request: IncomingMessage) => S3Fate;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  headers?: Record<string, string | number>;
  body?: Buffer | string;
}

interface Upload {
  key: string;
  parts: Map<number, Buffer>;
}

const BUCKET = 'capsules';
/** S3 takes no smaller part, but for the last one. */
const PART_MIN = 5 * 1_048_576;

/**
 * As much of S3 as the file store asks for, in memory: one bucket, ranges, lists, parts. Bodies are
 * compared with their signed hashes. Signatures are not: `npm run swift` has a server that does.
 */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, { bytes: Buffer; changed: Date }>();
  const uploads = new Map<string, Upload>();

  function put(key: string, bytes: Buffer): Answer {
    objects.set(key, { bytes, changed: new Date() });
    return { status: 200, headers: { ETag: etagOf(bytes) } };
  }

  function get(key: string, range: string | undefined): Answer {
    const bytes = objects.get(key)?.bytes;
    if (!bytes) return refusal(404, 'NoSuchKey');
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    if (from === undefined) return { status: 200, body: bytes };
    const start = Number(from);
    if (start >= bytes.length) return refusal(416, 'InvalidRange');
    const body = bytes.subarray(start, Number(to) + 1);
    const end = start + body.length - 1;
    return {
      status: 206,
      headers: { 'Content-Range': `bytes ${start}-${end}/${bytes.length}` },
      body,
    };
  }

  function list(query: URLSearchParams): Answer {
    const after = query.get('marker') ?? '';
    const found = [...objects.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const told = found.slice(0, Number(query.get('max-keys') ?? 1_000));
    const contents = told.map((key) => {
      const { bytes, changed } = objects.get(key) ?? { bytes: '', changed: new Date() };
      return `<Contents><Key>${escaped(key)}</Key><Size>${bytes.length}</Size><LastModified>${changed.toISOString()}</LastModified></Contents>`;
    });
    const more = `<IsTruncated>${told.length < found.length}</IsTruncated>`;
    return {
      status: 200,
      body: `<ListBucketResult>${more}${contents.join('')}</ListBucketResult>`,
    };
  }

  function begin(key: string): Answer {
    const id = randomUUID();
    uploads.set(id, { key, parts: new Map() });
    return { status: 200, body: `<R><UploadId>${id}</UploadId></R>` };
  }

  function complete(id: string, upload: Upload, asked: string): Answer {
    const parts = [...asked.matchAll(/<Part>.*?<\/Part>/gs)].map(([part]) => {
      const bytes = upload.parts.get(Number(/<PartNumber>(\d+)</.exec(part)?.[1]));
      const etag = /<ETag>(.*?)</.exec(part)?.[1]?.replaceAll('&quot;', '"');
      return bytes && etagOf(bytes) === etag ? bytes : null;
    });
    const whole = parts.filter((part) => part !== null);
    if (whole.length < parts.length) return refusal(400, 'InvalidPart');
    if (whole.slice(0, -1).some((part) => part.length < PART_MIN)) {
      return refusal(400, 'EntityTooSmall');
    }
    uploads.delete(id);
    put(upload.key, Buffer.concat(whole));
    return { status: 200, body: '<R></R>' };
  }

  function ofUpload(id: string, { method, query, body }: Call): Answer {
    const upload = uploads.get(id);
    if (!upload) return refusal(404, 'NoSuchUpload');
    if (method === 'POST') return complete(id, upload, body.toString());
    if (method === 'DELETE')
      return uploads.delete(id) ? { status: 204 } : refusal(404, 'NoSuchUpload');
    upload.parts.set(Number(query.get('partNumber')), body);
    return { status: 200, headers: { ETag: etagOf(body) } };
  }

  function answerTo(call: Call): Answer {
    const { method, bucket, key, query, body, headers } = call;
    if (bucket !== BUCKET) return refusal(404, 'NoSuchBucket');
    const signed = headers['x-amz-content-sha256'];
    if (signed !== createHash('sha256').update(body).digest('hex')) {
      return refusal(400, 'XAmzContentSHA256Mismatch');
    }
    const uploadId = query.get('uploadId');
    if (uploadId !== null) return ofUpload(uploadId, call);
    if (key === '' && method === 'GET') return list(query);
    if (key === '' && method === 'POST') {
      for (const [, one = ''] of body.toString().matchAll(/<Key>(.*?)<\/Key>/gs)) {
        objects.delete(unescaped(one));
      }
      return { status: 200, body: '<R></R>' };
    }
    if (method === 'POST') return begin(key);
    return method === 'PUT' ? put(key, body) : get(key, headers.range);
  }

  const http = createServer(async (request, response) => {
    const fate = server.fate(request);
    if (fate.startsWith('refuse-')) {
      request.resume();
      response.writeHead(Number(fate.slice('refuse-'.length))).end('<Code>Broken</Code>');
      return;
    }
    const call = await read(request).catch(() => null);
    if (call) send(response, call.method, answerTo(call), fate);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: S3Server = {
    options: {
      endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
      bucket: BUCKET,
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    },
    fate: () => 'pass',
    close() {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(() => resolve()));
    },
  };
  return server;
}

interface Call {
  method: string;
  bucket: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

async function read(request: IncomingMessage): Promise<Call> {
  const { pathname, searchParams: query } = new URL(`http://s3${request.url}`);
  const [, bucket = '', ...key] = decodeURIComponent(pathname).split('/');
  const { method = '', headers } = request;
  return { method, bucket, key: key.join('/'), query, headers, body: await buffer(request) };
}

function send(response: ServerResponse, method: string, answer: Answer, fate: S3Fate): void {
  const { status, headers = {}, body = '' } = answer;
  if (fate === 'lose-answer') return void response.destroy();
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers });
  if (method === 'HEAD' || fate !== 'cut-body') return void response.end(body);
  response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy());
}

function refusal(status: number, code: string): Answer {
  return { status, body: `<Error><Code>${code}</Code></Error>` };
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&');
