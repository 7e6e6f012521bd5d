import { AppError } from '../app-error.ts';
import type { FileStore } from '../files/file-store.ts';
import { parseRange } from './byte-range.ts';
import { contentDisposition } from './content-disposition.ts';
import type { AppContext } from './context.ts';
import { etagMatches } from './etag.ts';
import { toWeb } from './web-stream.ts';

export interface SentFile {
  /** Where its bytes are in the store. */
  storageKey: string;
  /** Its size as it was stored. */
  bytes: number;
  /** Identifies the bytes for good: their SHA-256, or a key that is never used again. */
  etag: string;
  /** As its sender named it; made safe here. */
  name: string;
  /** MIME type, judged by content. */
  type: string;
  disposition: 'attachment' | 'inline';
  /** For instance `private, no-store`. */
  cacheControl: string;
}

/**
 * Answers with a stored file, or with the requested range. Callers check permissions first. HEAD
 * and 304 open no file, and a lost client closes it.
 * @throws AppError RANGE_NOT_SATISFIABLE; FILE_NOT_FOUND when the store has no such bytes.
 */
export async function sendFile(
  c: AppContext,
  files: Pick<FileStore, 'read'>,
  file: SentFile,
): Promise<Response> {
  const etag = `"${file.etag}"`;
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

  headers['Content-Type'] = file.type;
  headers['Content-Disposition'] = contentDisposition(file.disposition, file.name);
  headers['Content-Length'] = String(range ? range.end - range.start + 1 : file.bytes);
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${file.bytes}`;
  const status = range ? 206 : 200;
  if (c.req.method === 'HEAD') return c.body(null, status, headers);

  const stored = await files.read(file.storageKey, range ?? undefined);
  if (!stored) throw new AppError('FILE_NOT_FOUND');
  if (stored.bytes !== file.bytes) {
    stored.stream.destroy();
    throw new Error('A stored file does not have the size it was stored with.');
  }
  return c.body(toWeb(stored.stream), status, headers);
}
