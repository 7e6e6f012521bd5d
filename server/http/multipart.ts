import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy from 'busboy';
import { AppError } from '../app-error.ts';
import { feed } from './multipart-feed.ts';
import {
  bodyBytesMax,
  bodyTooLarge,
  checkHeaders,
  fileTooLarge,
  jsonTooLarge,
  type MultipartLimits,
  malformed,
  tooManyFiles,
} from './multipart-limits.ts';
import { type ArrivingFile, openPart } from './multipart-part.ts';

export interface MultipartRules<T> {
  limits: MultipartLimits;
  /** Name of the JSON part, a plain field or a Blob; absent: none is read. */
  jsonField?: string;
  /** Name of the parts that carry files; absent: any name. */
  fileField?: string;
  /** Runs as soon as the JSON part is there; when it rejects, nothing more is read. */
  onJson?: (text: string) => Promise<void>;
  /** Takes one file, one after another in the order they arrive. */
  onFile: (file: ArrivingFile) => Promise<T>;
  /** Hears of each piece of a file before it is taken; when it throws, the upload ends. */
  onFileBytes?: (count: number) => void;
  /** How long a client may send nothing, in milliseconds. */
  idleMs?: number;
}

const IDLE_MS = 60_000;
/** Parts that nobody asked for are read over, up to this many. */
const EXTRA_PARTS = 16;
const BUFFER_BYTES = 262_144;
const NAME_SHOWN_MAX = 100;

/**
 * Reads a multipart body straight from the connection, with no part ever whole in memory
 * but the JSON one. Rejects only after every `onJson` and `onFile` that had begun has
 * ended; their streams have failed by then. After a rejection the rest of the body is
 * unread: answer with `refuseRest`.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, MALFORMED_MULTIPART (also when the client went
 * away), PAYLOAD_TOO_LARGE, FILE_TOO_LARGE, TOO_MANY_FILES, REQUEST_TIMEOUT, or what
 * `onJson` or `onFile` rejected with.
 */
export async function readMultipart<T>(
  incoming: IncomingMessage,
  rules: MultipartRules<T>,
): Promise<{ json: string | null; files: T[] }> {
  const { limits } = rules;
  checkHeaders(incoming, limits);
  const parser = createParser(incoming, limits);
  const files: T[] = [];
  let json: string | null = null;
  let jsonSeen = false;
  let filesSeen = 0;
  let totalBytes = 0;
  let jobs = Promise.resolve();
  let pending = 0;
  let current: Readable | null = null;
  let failed = false;

  return new Promise((resolve, reject) => {
    const body = feed(incoming, parser, {
      idleMs: rules.idleMs ?? IDLE_MS,
      onBytes: (received) => {
        if (received > bodyBytesMax(limits)) fail(bodyTooLarge(limits));
      },
      fail,
    });

    function fail(error: unknown): void {
      if (failed) return;
      failed = true;
      body.stop();
      const reason = error instanceof Error ? error : new Error(String(error));
      current?.destroy(reason);
      parser.destroy(reason);
      void jobs.then(() => reject(error));
    }

    /** One job after another; the client waits while another job waits for the one that runs. */
    function enqueue(job: () => Promise<void>): void {
      pending += 1;
      if (pending > 1) body.hold();
      jobs = jobs
        .then(() => (failed ? undefined : job()))
        .catch(fail)
        .then(() => {
          pending -= 1;
          if (pending <= 1 && !failed) body.release();
        });
    }

    async function takeJson(text: string): Promise<void> {
      json = text;
      await rules.onJson?.(text);
    }

    async function takeFile(source: Readable, name: string): Promise<void> {
      let bytes = 0;
      const part = openPart(source, (count) => {
        bytes += count;
        totalBytes += count;
        if (bytes > limits.fileBytes) throw fileTooLarge(limits, name.slice(0, NAME_SHOWN_MAX));
        if (totalBytes > limits.totalBytes) throw bodyTooLarge(limits);
        rules.onFileBytes?.(count);
      });
      current = part.stream;
      try {
        const head = await part.head;
        // A form sends such a part for a file input that was left empty.
        if (!name && head.length === 0) return;
        files.push(await rules.onFile({ name: name || 'file', head, stream: part.stream }));
        await finished(part.stream.resume());
      } catch (error) {
        const { errored } = part.stream;
        throw errored instanceof AppError ? errored : error;
      }
    }

    function onJsonPart(text: () => Promise<string>): void {
      if (jsonSeen) fail(malformed(null, `The part "${rules.jsonField}" was sent twice.`));
      jsonSeen = true;
      enqueue(async () => takeJson(await text()));
    }

    parser.on('field', (field, value, { valueTruncated }) => {
      if (field === rules.fileField) fail(unexpectedPart(field, 'must carry a file'));
      if (field !== rules.jsonField) return;
      if (valueTruncated) fail(jsonTooLarge());
      onJsonPart(async () => value);
    });
    parser.on('file', (field, source, { filename }) => {
      // A part that is cut off fails here too; the parser tells why.
      source.on('error', () => {});
      if (field === rules.jsonField) {
        onJsonPart(() => readText(source, limits.jsonBytes));
      } else if (rules.fileField !== undefined && field !== rules.fileField) {
        fail(unexpectedPart(field, `is not expected; files go in "${rules.fileField}"`));
      } else {
        filesSeen += 1;
        if (filesSeen > limits.files) fail(tooManyFiles(limits));
        // Without a name busboy gives undefined, whatever its types say.
        enqueue(() => takeFile(source, filename ?? ''));
      }
    });
    for (const limit of ['partsLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => fail(malformed(null, 'The upload has too many parts.')));
    }
    parser.on('error', (error) => fail(malformed(error)));
    parser.once('finish', () => {
      void jobs.then(() => {
        if (!failed) resolve({ json, files });
      });
    });
  });
}

function createParser(incoming: IncomingMessage, limits: MultipartLimits): busboy.Busboy {
  try {
    return busboy({
      headers: incoming.headers,
      // Browsers send names in UTF-8; busboy would read them as Latin-1.
      defParamCharset: 'utf8',
      highWaterMark: BUFFER_BYTES,
      fileHwm: BUFFER_BYTES,
      limits: {
        // One more than allowed: busboy calls a field truncated when it is exactly as long as its limit.
        fieldSize: limits.jsonBytes + 1,
        fields: EXTRA_PARTS,
        parts: limits.files + EXTRA_PARTS,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

async function readText(source: Readable, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw jsonTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unexpectedPart(field: string | undefined, problem: string): AppError {
  return malformed(null, `The part "${String(field).slice(0, NAME_SHOWN_MAX)}" ${problem}.`);
}
