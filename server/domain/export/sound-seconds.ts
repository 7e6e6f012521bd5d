/** The id of WebM's duration, and the size of the float that follows it. */
const DURATION = Buffer.from([0x44, 0x89, 0x88]);
/** It is among the first of these. */
const HEAD_BYTES = 256;
const DAY_SECONDS = 86_400;

/**
 * How long a voice memo is, as the app has written it into a WebM, in units of a millisecond. Null
 * of other recordings, as those of Safari.
 */
export function soundSeconds(file: Buffer): number | null {
  const head = file.subarray(0, HEAD_BYTES);
  const at = head.indexOf(DURATION);
  if (at < 0 || at + DURATION.length + 8 > head.length) return null;
  const seconds = head.readDoubleBE(at + DURATION.length) / 1_000;
  return seconds > 0 && seconds < DAY_SECONDS ? seconds : null;
}
