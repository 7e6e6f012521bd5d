import type { Picture } from './picture.ts';

/** Pixels a side; of a picture at half scale, 16 on the screen. */
export const BLOCK = 8;

const CHANNELS = 3;

/**
 * What two rasterisers may differ by. They agree on flat colours to the last bit, and differ
 * where there is an edge: by how much follows from the contrast there.
 */
const FLAT_TOLERANCE = 1.2;
const EDGE_TOLERANCE = 0.28;
/** Stray blocks that a picture may have: an edge that falls between two pixels on one machine. */
const STRAY_BLOCKS = 2;
/** So far from what was expected a single block is a finding. */
const GROSS = 2.2;

export interface Comparison {
  same: boolean;
  /** In one line: what differs, and how much of it. */
  summary: string;
  /** The blocks that differ, by their place in the picture, in pixels. */
  blocks: readonly { x: number; y: number }[];
}

/** Whether a person would take both for the same picture. Sizes must be equal, places too. */
export function compare(expected: Picture, actual: Picture): Comparison {
  if (expected.width !== actual.width || expected.height !== actual.height) {
    const sizes = [expected, actual].map(({ width, height }) => `${width} × ${height}`);
    return { same: false, summary: `${sizes.join(' has become ')} pixels`, blocks: [] };
  }
  const [before, after] = [softened(expected), softened(actual)];
  const blocks: { x: number; y: number }[] = [];
  let gross = 0;
  for (let y = 0; y < expected.height; y += BLOCK) {
    for (let x = 0; x < expected.width; x += BLOCK) {
      const excess = differenceAt(before, after, x, y);
      if (excess > 1) blocks.push({ x, y });
      if (excess > GROSS) gross += 1;
    }
  }
  const all = Math.ceil(expected.width / BLOCK) * Math.ceil(expected.height / BLOCK);
  const share = ((100 * blocks.length) / all).toFixed(2);
  return {
    same: gross === 0 && blocks.length <= STRAY_BLOCKS,
    summary: `${blocks.length} of ${all} blocks differ (${share} %), ${gross} of them grossly`,
    blocks,
  };
}

/**
 * How far a block is from what was expected, as a multiple of what is tolerated: the mean
 * difference of its pixels, in the channel where it is largest. Of both contrasts the smaller
 * counts: where something has vanished, or come, no edge excuses it.
 */
function differenceAt(before: Picture, after: Picture, x: number, y: number): number {
  const right = Math.min(x + BLOCK, before.width);
  const bottom = Math.min(y + BLOCK, before.height);
  const count = (right - x) * (bottom - y);
  let worst = 0;
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    let difference = 0;
    const [one, other] = [spread(), spread()];
    for (let row = y; row < bottom; row += 1) {
      for (let column = x; column < right; column += 1) {
        const at = (row * before.width + column) * CHANNELS + channel;
        const [was, is] = [before.pixels[at] ?? 0, after.pixels[at] ?? 0];
        difference += Math.abs(was - is);
        one.add(was);
        other.add(is);
      }
    }
    const contrast = Math.min(one.deviation(count), other.deviation(count));
    worst = Math.max(worst, difference / count / (FLAT_TOLERANCE + EDGE_TOLERANCE * contrast));
  }
  return worst;
}

function spread() {
  let sum = 0;
  let squares = 0;
  return {
    add(value: number) {
      sum += value;
      squares += value * value;
    },
    /** The standard deviation of what was added. */
    deviation: (count: number) => Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2)),
  };
}

/** Each pixel the mean of the nine around it: what moves by a fraction of a pixel stays where it is. */
function softened({ width, height, pixels }: Picture): Picture {
  const row = width * CHANNELS;
  const across = new Float32Array(pixels.length);
  for (let at = 0; at < pixels.length; at += 1) {
    const column = Math.floor((at % row) / CHANNELS);
    const left = column === 0 ? at : at - CHANNELS;
    const right = column === width - 1 ? at : at + CHANNELS;
    across[at] = ((pixels[left] ?? 0) + (pixels[at] ?? 0) + (pixels[right] ?? 0)) / 3;
  }
  const mean = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at += 1) {
    const above = at < row ? at : at - row;
    const below = at + row >= pixels.length ? at : at + row;
    mean[at] = Math.round(((across[above] ?? 0) + (across[at] ?? 0) + (across[below] ?? 0)) / 3);
  }
  return { width, height, pixels: mean };
}

/** The actual picture, faint, with what differs in full colour and framed in magenta. */
export function marked({ width, height, pixels }: Picture, { blocks }: Comparison): Picture {
  const faint = pixels.map((value) => Math.round(200 + (value - 128) * 0.25));
  for (const { x, y } of blocks) {
    for (let row = y; row < Math.min(y + BLOCK, height); row += 1) {
      for (let column = x; column < Math.min(x + BLOCK, width); column += 1) {
        const at = (row * width + column) * CHANNELS;
        const isRim = row === y || column === x;
        faint.set(isRim ? [230, 0, 160] : pixels.subarray(at, at + CHANNELS), at);
      }
    }
  }
  return { width, height, pixels: faint };
}
