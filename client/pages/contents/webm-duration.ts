/** The ids of WebM's Info element and of the duration in it. */
const INFO = '\x15\x49\xa9\x66';
const DURATION = '\x44\x89';
/** The duration as Firefox leaves it: the size of eight bytes, and a float that is zero. */
const EMPTY = `${DURATION}\x88${'\0'.repeat(8)}`;
/** Info is among the first of these. */
const HEAD_BYTES = 256;

/**
 * Writes the duration into a WebM as a browser records it: Chromium leaves it out, Firefox leaves it
 * empty, because neither knows it in advance. Without it players show no length.
 * @returns the parts of the file; the file as it is where its head looks different
 */
export function withDuration(
  file: Uint8Array<ArrayBuffer>,
  seconds: number,
): Uint8Array<ArrayBuffer>[] {
  const head = String.fromCharCode(...file.subarray(0, HEAD_BYTES));
  const info = head.indexOf(INFO);
  if (info < 0) return [file];
  const duration = durationOf(seconds);
  const empty = head.indexOf(EMPTY, info);
  if (empty > 0) return [file.subarray(0, empty), duration, file.subarray(empty + EMPTY.length)];
  // A size of one byte has its highest bit set; 0xff stands for an unknown size.
  const at = info + INFO.length;
  const size = file[at] ?? 0;
  const isShort = size >= 0x80 && size + duration.length < 0xff;
  const hasDuration = head.slice(at + 1, at + 1 + (size & 0x7f)).includes(DURATION);
  if (!isShort || hasDuration) return [file];
  const larger = Uint8Array.of(size + duration.length);
  return [file.subarray(0, at), larger, duration, file.subarray(at + 1)];
}

/** The element in units of the time scale, which both browsers set to a millisecond. */
function durationOf(seconds: number): Uint8Array<ArrayBuffer> {
  const element = new DataView(new ArrayBuffer(EMPTY.length));
  element.setUint16(0, 0x4489);
  element.setUint8(2, 0x88);
  element.setFloat64(3, seconds * 1_000);
  return new Uint8Array(element.buffer);
}
