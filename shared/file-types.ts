import { MEGABYTE } from './limits.ts';

export type FileKind = 'image' | 'video' | 'pdf' | 'other';

/** What a file picker offers. The server judges by content, not by this. */
export const ACCEPTED_FILES = 'image/*,video/*,application/pdf';

/** True for a MIME type that a capsule takes: images, videos and PDF. */
export function isAcceptedType(mimeType: string): boolean {
  return /^(image|video)\//.test(mimeType) || mimeType === 'application/pdf';
}

const EXTENSIONS: Record<string, FileKind> = {
  jpg: 'image',
  jpeg: 'image',
  png: 'image',
  gif: 'image',
  webp: 'image',
  svg: 'image',
  mp4: 'video',
  avi: 'video',
  mov: 'video',
  wmv: 'video',
  flv: 'video',
  webm: 'video',
  pdf: 'pdf',
};

/** Which icon a file gets, by its extension (specification §2, Dashboard). */
export function fileKind(fileName: string): FileKind {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? (EXTENSIONS[extension] ?? 'other') : 'other';
}

/** '512.00 KB' under one megabyte, else '3.42 MB'. */
export function fileSizeText(megabytes: number): string {
  return megabytes < 1 ? `${(megabytes * 1024).toFixed(2)} KB` : `${megabytes.toFixed(2)} MB`;
}

export function toMegabytes(bytes: number): number {
  return Math.round((bytes / MEGABYTE) * 1e6) / 1e6;
}
