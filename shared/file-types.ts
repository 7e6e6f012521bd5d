import { MEGABYTE } from './limits.ts';

export type FileKind = 'image' | 'video' | 'pdf' | 'other';

/** For the file picker. The server judges files by their content instead. */
export const ACCEPTED_FILES = 'image/*,video/*,application/pdf';

/** True for images, videos and PDFs. */
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

/** The icon of a file by its extension (specification §2, Dashboard). */
export function fileKind(fileName: string): FileKind {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? (EXTENSIONS[extension] ?? 'other') : 'other';
}

/** How the names of recordings made here begin. */
export const VOICE_MEMO = 'Voice memo';

/** Whether a file was recorded here: its type is that of a video, since capsules hold no sounds. */
export function isVoiceMemo(fileName: string): boolean {
  return fileName.startsWith(VOICE_MEMO) && fileKind(fileName) === 'video';
}

/** Extensions of cameras and phones for which some systems report no MIME type. */
const UNNAMED_TYPES = /\.(heic|heif|avif|bmp|tiff?|jfif|jxl|m4v|mkv|mpe?g|3gp|3g2|ogv|mts|m2ts)$/i;

/** Whether a picked file looks acceptable, by its MIME type or, without one, by its extension. */
export function isAcceptedFile({ name, type }: { name: string; type: string }): boolean {
  if (type !== '') return isAcceptedType(type);
  return fileKind(name) !== 'other' || UNNAMED_TYPES.test(name);
}

/** Neither animated, as GIFs are, nor of a format that the server can't decode, as HEIC is. */
const RENDERED_TYPES = /^image\/(jpeg|png|webp|avif)$/;
/** In megabytes: smaller images come quickly by themselves, larger ones take too much memory. */
const RENDERED_FROM = 0.3;
const RENDERED_MAX = 30;

/** Whether the server makes renditions of a file. @param fileSize in megabytes */
export function hasRendition(file: { fileType: string; fileSize: number }): boolean {
  const { fileType, fileSize } = file;
  return RENDERED_TYPES.test(fileType) && fileSize >= RENDERED_FROM && fileSize <= RENDERED_MAX;
}

/** '512.00 KB' under one megabyte, else '3.42 MB'. */
export function fileSizeText(megabytes: number): string {
  return megabytes < 1 ? `${(megabytes * 1024).toFixed(2)} KB` : `${megabytes.toFixed(2)} MB`;
}

export function toMegabytes(bytes: number): number {
  return Math.round((bytes / MEGABYTE) * 1e6) / 1e6;
}
