import { MEGABYTE } from './limits.ts';

export type FileKind = 'image' | 'video' | 'pdf' | 'other';

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
  const extension = extensionOf(fileName);
  return Object.hasOwn(EXTENSIONS, extension) ? (EXTENSIONS[extension] ?? 'other') : 'other';
}

function extensionOf(fileName: string): string {
  return /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** How the names of recordings made here begin. */
export const VOICE_MEMO = 'Voice memo';

/** Whether a file was recorded here: its type is that of a video, since capsules hold no sounds. */
export function isVoiceMemo(fileName: string): boolean {
  return fileName.startsWith(VOICE_MEMO) && fileKind(fileName) === 'video';
}

/** Further extensions of images and videos, for systems that report no type or a wrong one. */
const FURTHER: [FileKind, string][] = [
  [
    'image',
    '3fr apng arw avif bmp cr2 cr3 crw dcr dng erf heic heics heif heifs hif ico iiq jfif jp2 jpe jxl jxr kdc mef mos mrw nef nrw orf pef psd raf rw2 rwl sr2 srf srw tif tiff x3f',
  ],
  [
    'video',
    '3g2 3gp asf dv f4v m2t m2ts m4v mkv mod mpe mpeg mpg mts mxf ogm ogv qt rm tod ts vob',
  ],
];

/**
 * What a picked file looks like, by its reported type or by its extension. Systems often report
 * `application/octet-stream` of what they don't know, so only the server refuses by content.
 */
export function pickedKind({ name, type }: { name: string; type: string }): FileKind {
  const [, reported] = /^(image|video)\//.exec(type) ?? [];
  if (reported) return reported as FileKind;
  if (/^application\/(x-)?pdf$/.test(type)) return 'pdf';
  const extension = extensionOf(name);
  const further = FURTHER.find(([, all]) => all.split(' ').includes(extension));
  return further?.[0] ?? fileKind(name);
}

/** Neither an image nor a video, whatever the system makes of it. */
const OTHERS =
  /^(zip|7z|rar|t?gz|tar|exe|msi|dmg|iso|apk|docx?|xlsx?|pptx?|od[tsp]|pages|txt|rtf|md|csv|html?|json|xml|js|mp3|m4a|aac|wav|flac|ogg|oga|opus|wma)$/;

/** What the system doesn't know, as raw photos of a camera, the server judges by content. */
export function isAcceptedFile(file: { name: string; type: string }): boolean {
  if (pickedKind(file) !== 'other') return true;
  const extension = extensionOf(file.name);
  const isUnknown = file.type === '' || file.type === 'application/octet-stream';
  return isUnknown && extension !== '' && !OTHERS.test(extension);
}

/**
 * For the file picker, which greys out everything else. An iPhone hands over JPEG instead of HEIC,
 * which few browsers show, unless HEIC is named here.
 */
export const ACCEPTED_FILES = [
  ...['image/*', 'video/*', 'application/pdf'],
  ...[...Object.keys(EXTENSIONS), ...FURTHER.flatMap(([, all]) => all.split(' '))]
    .filter((extension) => !/^(hei[cf]s?|hif)$/.test(extension))
    .map((extension) => `.${extension}`),
].join(',');

/** Images that all browsers show. */
export const SHOWN_IMAGES = /^image\/(jpeg|png|apng|gif|webp|avif|bmp)$/;

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

/** '512 KB' under one megabyte, at least '1 KB', else '3.42 MB' (specification §9). */
export function fileSizeText(megabytes: number): string {
  if (megabytes >= 1) return `${megabytes.toFixed(2)} MB`;
  return `${Math.max(1, Math.floor(megabytes * 1024))} KB`;
}

export function toMegabytes(bytes: number): number {
  return Math.round((bytes / MEGABYTE) * 1e6) / 1e6;
}
