import type { IncomingMessage } from 'node:http';
import { MEGABYTE } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';

export interface MultipartLimits {
  /** The largest single file. */
  fileBytes: number;
  /** All files together. */
  totalBytes: number;
  files: number;
  jsonBytes: number;
  /** What a person reads when any of the byte limits is passed, in place of a sentence that names it. */
  tooLargeText?: string;
}

/** Boundaries, headers of parts, and small fields that nobody asked for. */
const OVERHEAD_BYTES = 262_144;

/** The largest body that can keep to the limits. */
export function bodyBytesMax(limits: MultipartLimits): number {
  return limits.totalBytes + limits.jsonBytes + OVERHEAD_BYTES;
}

/**
 * Refuses bodies that the headers already show to be unacceptable.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE
 */
export function checkHeaders(incoming: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = incoming.headers;
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Please send multipart/form-data.' });
  }
  if (encoding.toLowerCase() !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'Please send the body uncompressed.' });
  }
}

export function bodyTooLarge(limits: MultipartLimits): AppError {
  return new AppError(limits.files === 1 ? 'FILE_TOO_LARGE' : 'PAYLOAD_TOO_LARGE', {
    message:
      limits.tooLargeText ?? `All files together can be at most ${megabytes(limits.totalBytes)}.`,
  });
}

export function fileTooLarge(limits: MultipartLimits, name: string): AppError {
  return new AppError('FILE_TOO_LARGE', {
    message:
      limits.tooLargeText ??
      `"${name}" is too large. A file can be at most ${megabytes(limits.fileBytes)}.`,
  });
}

export function tooManyFiles(limits: MultipartLimits): AppError {
  return new AppError('TOO_MANY_FILES', {
    message: `Too many files. At most ${limits.files} can be sent together.`,
  });
}

export function jsonTooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { message: 'The text of this capsule is too long.' });
}

export function malformed(cause: unknown, message?: string): AppError {
  return new AppError('MALFORMED_MULTIPART', { cause, ...(message && { message }) });
}

/** Turns errors of the parser into MALFORMED_MULTIPART and leaves our own as they are. */
export function asMalformed(error: unknown): AppError {
  return error instanceof AppError ? error : malformed(error);
}

function megabytes(bytes: number): string {
  return `${Math.round((bytes / MEGABYTE) * 10) / 10} MB`;
}
