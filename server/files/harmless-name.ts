/**
 * A name whose last letters are those of an image, a video or a PDF, since what a file is opened
 * with goes by them: a picture that is a web page as well, named `picture.html`, would run in its
 * reader's browser. A drawing ends as text, because a browser runs the scripts of an SVG.
 * @param type MIME type, judged by content
 */
export function harmlessName(name: string, type: string): string {
  const ending = ENDINGS[type] ?? 'bin';
  if (type === 'image/svg+xml' && /\.svg$/i.test(name)) return `${name}.txt`;
  return HARMLESS.test(name) ? name : `${name}.${ending}`;
}

/** Programs show these, and run none of them. */
const HARMLESS =
  /\.(jpe?g?|jfif|jpx|jp2|jxl|jxr|a?png|gif|webp|avif|hei[cf]s?|bmp|ico|tiff?|psd|cr[23]|dng|nef|arw|orf|raf|rw2|pef|mp4|m4v|mov|qt|webm|mk[v3]d?|avi|wmv|asf|flv|f4v|mpe?g|vob|mod|tod|3gp|3g2|og[vm]|m?ts|m2ts?|dv|mxf|rm|pdf)$/i;

const ENDINGS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/tiff': 'tif',
  'image/bmp': 'bmp',
  'image/svg+xml': 'svg.txt',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/matroska': 'mkv',
  'video/vnd.avi': 'avi',
  'video/ogg': 'ogv',
  'application/pdf': 'pdf',
};
