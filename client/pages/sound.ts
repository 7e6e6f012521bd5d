/** What can be seen of a sound. */
export interface Sound {
  seconds: number;
  /** How loud each part of it is, from 0 to 1; the loudest one is 1, unless all of it is silent. */
  levels: readonly number[];
}

/** The lowest rate that every browser knows: enough to draw, and a sixth of the memory. */
const RATE = 8_000;
export const LEVELS = 60;

/** Decodes a sound on this device. @throws when the browser cannot decode it */
export async function readSound(bytes: ArrayBuffer): Promise<Sound> {
  const decoded = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);
  const samples = decoded.getChannelData(0);
  const length = Math.max(1, Math.ceil(samples.length / LEVELS));
  const levels = Array.from({ length: LEVELS }, (_, at) =>
    loudness(samples.subarray(at * length, (at + 1) * length)),
  );
  const loudest = Math.max(...levels) || 1;
  return { seconds: decoded.duration, levels: levels.map((level) => level / loudest) };
}

/** The root mean square of samples: 0 is silence, 1 the most there can be. */
export function loudness(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}
