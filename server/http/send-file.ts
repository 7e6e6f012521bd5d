import type { Readable } from 'node:stream';
import { AppError } from '../app-error.ts';
import type { ByteRange, FileStore } from '../files/file-store.ts';
import { harmlessName } from '../files/harmless-name.ts';
import type { Log } from '../log.ts';
import { parseRange } from './byte-range.ts';
import { contentDisposition } from './content-disposition.ts';
import type { AppContext } from './context.ts';
import { etagMatches } from './etag.ts';
import { DamagedFileError, intact } from './intact.ts';
import { toWeb } from './web-stream.ts';

export interface StoredFile {
  /** Where its bytes are in the store. */
  storageKey: string;
  /** Its size as it was stored. */
  bytes: number;
  /** Of its bytes as they were stored, in hex; also its ETag. */
  sha256: string;
}

export interface SentFile extends StoredFile {
  /** As its sender named it; made safe here. */
  name: string;
  /** MIME type, judged by content. */
  type: string;
  disposition: 'attachment' | 'inline';
  /** For instance `private, no-store`. */
  cacheControl: string;
}

/** So many damaged files are remembered; each is found again when it is fetched. */
const DAMAGED_KEPT = 1_000;

/** Callers check permissions first. */
export type StoredFiles = ReturnType<typeof createStoredFiles>;

export function createStoredFiles({
  files,
  log,
}: {
  files: Pick<FileStore, 'read' | 'size'>;
  log: Pick<Log, 'error'>;
}) {
  const damaged = new Set<string>();

  function damage(storageKey: string): AppError {
    if (!damaged.has(storageKey)) {
      log.error(
        { storageKey },
        'A stored file is damaged or missing. "npm run fsck" finds all of them.',
      );
    }
    if (damaged.size < DAMAGED_KEPT) damaged.add(storageKey);
    return new AppError('FILE_DAMAGED');
  }

  async function open({ storageKey, bytes }: StoredFile, range?: ByteRange): Promise<Readable> {
    const stored = await files.read(storageKey, range);
    if (stored?.bytes === bytes) return stored.stream;
    stored?.stream.destroy();
    throw damage(storageKey);
  }

  async function openWhole(file: StoredFile): Promise<Readable> {
    const whole = intact(await open(file), file);
    whole.once('end', () => damaged.delete(file.storageKey));
    return whole;
  }

  /**
   * Answers with a stored file, or with the requested range. HEAD and 304 open no file, and a lost
   * client closes it. A file whose bytes have changed breaks off before its end, and from then on
   * HEAD says so; within a range, changed bytes cannot be seen.
   * @throws AppError RANGE_NOT_SATISFIABLE; FILE_DAMAGED when the store has no such bytes, or has
   * more or fewer of them.
   */
  async function send(c: AppContext, file: SentFile): Promise<Response> {
    const { storageKey } = file;
    const etag = `"${file.sha256}"`;
    const headers: Record<string, string> = {
      'Accept-Ranges': 'bytes',
      'Cache-Control': file.cacheControl,
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      ETag: etag,
    };
    if (etagMatches(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);

    const ifRange = c.req.header('if-range');
    const asked = ifRange === undefined || ifRange === etag ? c.req.header('range') : undefined;
    const range = parseRange(asked, file.bytes);
    if (range === 'unsatisfiable') {
      c.header('Content-Range', `bytes */${file.bytes}`);
      throw new AppError('RANGE_NOT_SATISFIABLE');
    }

    const bytes = range ? range.end - range.start + 1 : file.bytes;
    headers['Content-Type'] = file.type;
    headers['Content-Disposition'] = contentDisposition(
      file.disposition,
      harmlessName(file.name, file.type),
    );
    headers['Content-Length'] = String(bytes);
    if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${file.bytes}`;
    const status = range ? 206 : 200;
    if (c.req.method === 'HEAD') {
      const isWhole = !damaged.has(storageKey) && (await files.size(storageKey)) === file.bytes;
      if (!isWhole) throw damage(storageKey);
      return c.body(null, status, headers);
    }

    const isPart = range !== null && bytes < file.bytes;
    const stream = isPart ? await open(file, range) : await openWhole(file);
    const body = toWeb(c, stream, (error) => {
      if (error instanceof DamagedFileError) return void damage(storageKey);
      const fields = { requestId: c.get('requestId'), storageKey, err: error };
      log.error(fields, 'A download broke off, because its file could not be read to the end.');
    });
    return c.body(body, status, headers);
  }

  /** All bytes, as they were stored. @throws AppError FILE_DAMAGED when they are not there any more */
  async function readWhole(file: StoredFile): Promise<Buffer> {
    try {
      // Joining the pieces at the end would take twice the memory.
      const whole = Buffer.allocUnsafe(file.bytes);
      let at = 0;
      for await (const piece of await openWhole(file)) at += (piece as Buffer).copy(whole, at);
      return whole;
    } catch (error) {
      throw error instanceof DamagedFileError ? damage(file.storageKey) : error;
    }
  }

  return { send, readWhole };
}
