/*
 * Kinds that `file-type` does not find, because they show themselves late or behind something else.
 * Each walk goes forward only, so that it costs at most linear time.
 */

/** The type of an image or a video, or null. */
export function lateSignature(head: Buffer): string | null {
  const text = asText(head);
  if (isSvg(text)) return 'image/svg+xml';
  // A TIFF's directory is often at its end, where the library looks for more and finds nothing.
  if (/^(II\*\0|MM\0\*)/.test(text)) return 'image/tiff';
  if (text.startsWith('\x1f\x07\0')) return 'video/x-dv';
  return isWindowsVideo(head) ? 'video/x-ms-asf' : null;
}

const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
const ASF_VIDEO_STREAM = Buffer.from('c0ef19bc4d5bcf11a8fd00805f5c442b', 'hex');

/** A WMV may name its sound first, or name its streams behind a long list of properties. */
function isWindowsVideo(head: Buffer): boolean {
  return head.subarray(0, ASF_HEADER.length).equals(ASF_HEADER) && head.includes(ASF_VIDEO_STREAM);
}

/** How far into a file a PDF may begin: readers have always searched that far. */
const PDF_WITHIN_BYTES = 1_024;

/** Ask last: other files may hold these bytes somewhere. */
export function isPdf(head: Buffer): boolean {
  return head.subarray(0, PDF_WITHIN_BYTES).includes('%PDF-');
}

function asText(head: Buffer): string {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return head.toString('utf16le', 2);
  return head.toString('latin1').replace(/^\xEF\xBB\xBF/, '');
}

/** The root element is `svg`, after nothing but a declaration, comments and a doctype. */
function isSvg(text: string): boolean {
  let at = 0;
  for (;;) {
    at = afterSpace(text, at);
    if (text.startsWith('<?', at)) at = after(text, '?>', at);
    else if (text.startsWith('<!--', at)) at = after(text, '-->', at);
    else if (/^<!DOCTYPE\s+(\w{1,20}:)?svg\b/i.test(text.slice(at, at + 60))) {
      at = afterDoctype(text, at);
    } else return /^<(\w{1,20}:)?svg[\s/>]/.test(text.slice(at, at + 30));
  }
}

function afterSpace(text: string, at: number): number {
  const next = /\S/g;
  next.lastIndex = at;
  return next.exec(text)?.index ?? text.length;
}

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
}

/** Where a doctype ends, whose own declarations stand in brackets and may hold quoted ones. */
function afterDoctype(text: string, start: number): number {
  const next = /["'[\]>]|<!--/g;
  next.lastIndex = start;
  let isInside = false;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const [mark] = found;
    if (mark === '>' && !isInside) return next.lastIndex;
    if (mark === '[' || mark === ']') isInside = mark === '[';
    else if (mark !== '>')
      next.lastIndex = after(text, mark === '<!--' ? '-->' : mark, next.lastIndex);
  }
  return text.length;
}
