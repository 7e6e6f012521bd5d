import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import busboy from 'busboy';
import type { AppError } from '../app-error.ts';
import type { BodyPlace } from './body-room.ts';
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
import { type ArrivingFile, openPart, pieces } from './multipart-part.ts';
import { type BodyRules, PIECE_BYTES, requestBody } from './request-body.ts';

export interface MultipartRules {
  limits: MultipartLimits;
  /** Name of the JSON part, a plain field or a Blob; absent: none is read. */
  jsonField?: string;
  /** Name of the parts that carry files; absent: any name. */
  fileField?: string;
  /** How long a client may send nothing, in milliseconds. */
  idleMs?: number | undefined;
  /** Where what is kept of it in memory has a bound. */
  room?: BodyRules['room'];
  /** Whether who takes the files keeps them in memory. */
  keepsFiles?: boolean;
}

export type Part = { json: string } | { file: ArrivingFile };

/** An event of the parser: the text of a field, or the start of a file. */
type Met = { text: string } | { isJson: boolean; source: Readable; name: string };

/** Up to this many unexpected parts are skipped. */
const EXTRA_PARTS = 16;
const NAME_SHOWN_MAX = 100;

/**
 * The parts of a multipart body in the order they arrive, no file ever whole in memory. The body is
 * read as the parts are taken. When it cannot be read to its end, the stream of the file that is
 * being taken fails with the reason. A file that is left unread is read over.
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_MULTIPART (also when the client went away),
 * PAYLOAD_TOO_LARGE, FILE_TOO_LARGE, TOO_MANY_FILES, REQUEST_TIMEOUT
 */
export async function* readParts(
  incoming: IncomingMessage,
  rules: MultipartRules,
): AsyncGenerator<Part> {
  const { limits } = rules;
  checkHeaders(incoming);
  const parser = createParser(incoming, limits);
  let place: BodyPlace | undefined;
  const body = requestBody(incoming, {
    maxBytes: bodyBytesMax(limits),
    idleMs: rules.idleMs,
    room: (refuse) => {
      place = rules.room?.(refuse);
      return place;
    },
    tooLarge: () => bodyTooLarge(limits),
    cutOff: () => malformed(null),
  });
  let onTaken = () => {};
  const met = new Readable({ objectMode: true, highWaterMark: 1, read: () => onTaken() });
  followParser(parser, rules, met, fail);
  let totalBytes = 0;

  function fail(reason: unknown): void {
    const error = reason instanceof Error ? reason : malformed(reason);
    met.destroy(error);
    parser.destroy(error);
    void body.return();
  }

  /** Feeds the parser as fast as it reads, up to the part that is pulled next. */
  async function feed(): Promise<void> {
    for await (const piece of body) {
      await new Promise((resolve) => parser.write(piece, resolve));
      if (met.readableLength > 0) {
        await new Promise<void>((resolve) => {
          onTaken = resolve;
        });
      }
    }
    parser.end();
  }

  function open(source: Readable, name: string) {
    let bytes = 0;
    return openPart(source, (count) => {
      bytes += count;
      totalBytes += count;
      if (!rules.keepsFiles) place?.take(-count);
      if (bytes > limits.fileBytes) throw fileTooLarge(limits, name.slice(0, NAME_SHOWN_MAX));
      if (totalBytes > limits.totalBytes) throw bodyTooLarge(limits);
    });
  }

  feed().catch(fail);
  try {
    for await (const part of met as AsyncIterable<Met>) {
      if ('text' in part) {
        yield { json: part.text };
      } else if (part.isJson) {
        yield { json: await readText(part.source, limits.jsonBytes) };
      } else {
        const file = { name: part.name || 'file', ...(await open(part.source, part.name)) };
        // A form sends such a part for a file input that was left empty.
        if (part.name || file.head.length > 0) yield { file };
        await finished(file.stream.resume());
      }
    }
  } finally {
    if (!met.readableEnded) fail(malformed(null));
  }
}

/** Collects the parser's events in `met`, and refuses parts that the rules do not allow. */
function followParser(
  parser: busboy.Busboy,
  { limits, jsonField, fileField }: MultipartRules,
  met: Readable,
  fail: (error: AppError) => void,
): void {
  let jsonSeen = false;
  let filesSeen = 0;

  function meetJson(part: Met): void {
    if (jsonSeen) fail(malformed(null, `The part "${jsonField}" was sent twice.`));
    jsonSeen = true;
    met.push(part);
  }

  parser.on('field', (field, text, { valueTruncated }) => {
    if (field === fileField) fail(unexpectedPart(field, 'must carry a file'));
    if (field !== jsonField) return;
    if (valueTruncated) fail(jsonTooLarge());
    meetJson({ text });
  });
  parser.on('file', (field, source, { filename }) => {
    // A lost connection also fails this stream. The parser reports the reason.
    source.on('error', () => {});
    // Without a name busboy gives undefined, whatever its types say.
    const name = filename ?? '';
    if (field === jsonField) {
      meetJson({ isJson: true, source, name });
    } else if (fileField !== undefined && field !== fileField) {
      fail(unexpectedPart(field, `is not expected; files go in "${fileField}"`));
    } else {
      filesSeen += 1;
      if (filesSeen > limits.files) fail(tooManyFiles(limits));
      met.push({ isJson: false, source, name });
    }
  });
  for (const limit of ['partsLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => fail(malformed(null, 'The upload has too many parts.')));
  }
  parser.on('error', (error) => fail(malformed(error)));
  parser.once('finish', () => met.push(null));
}

function createParser(incoming: IncomingMessage, limits: MultipartLimits): busboy.Busboy {
  try {
    return busboy({
      headers: incoming.headers,
      // Browsers send names in UTF-8; busboy would read them as Latin-1.
      defParamCharset: 'utf8',
      highWaterMark: PIECE_BYTES,
      fileHwm: PIECE_BYTES,
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
  let bytes = 0;
  const all = pieces(source, (count) => {
    bytes += count;
    if (bytes > bytesMax) throw jsonTooLarge();
  });
  return (await buffer(all)).toString('utf8');
}

function unexpectedPart(field: string | undefined, problem: string): AppError {
  return malformed(null, `The part "${String(field).slice(0, NAME_SHOWN_MAX)}" ${problem}.`);
}
