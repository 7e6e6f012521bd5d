import { FILE_NAME_MAX } from '../../shared/limits.ts';

/** Control characters, line ends, and the marks that turn text around (`exe.jpg` shown for `gpj.exe`). */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Separators of folders, and what Windows allows in no name. */
const RESERVED = /[/\\:*?"<>|]/g;
/** Names of devices on Windows, with or without an extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A name that every system can save: no folders, no control or bidi characters, at most 255
 * characters.
 */
export function safeFileName(name: string): string {
  // The patterns below may take time by the square of a long name.
  const cleaned = shorten(name)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(UNSAFE, '')
    .replace(RESERVED, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .replace(DEVICE, '_$1');
  return shorten(cleaned) || 'file';
}

/** The header of RFC 6266: a plain name for old programs, and the exact one in UTF-8. */
export function contentDisposition(disposition: 'attachment' | 'inline', name: string): string {
  const safe = safeFileName(name);
  const plain = safe.replace(/[^\x20-\x7E]|%/g, '_');
  const exact = encodeURIComponent(safe).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** At most 255 characters, with the extension: it decides the program that opens the file. */
export function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= FILE_NAME_MAX) return name;
  const extension = [...(/\.[^.\s]{1,16}$/u.exec(name)?.[0] ?? '')];
  return [...characters.slice(0, FILE_NAME_MAX - extension.length), ...extension].join('');
}
