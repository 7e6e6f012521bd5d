import { DAY_MS } from './limits.ts';

/** The shape of a ring: its mean radius and its waves, in units of the 160-unit drawing. */
interface Ring {
  radius: number;
  /** Distance from the previous ring. */
  gap: number;
  waves: readonly Wave[];
}

interface Wave {
  lobes: number;
  height: number;
  phase: number;
}

/** The centre of the drawing, a square of 160 × 160. */
const CENTRE = 80;
const OUTERMOST = 70;
const TURN = 2 * Math.PI;
/** Curves in a whole ring; enough to look round at 160 pixels. */
const PIECES = 28;

/** Of the outermost line, which is no year. */
export const BARK_RADIUS = 76;
const NO_RING: Ring = { radius: 0, gap: 0, waves: [] };

/**
 * By size: the radius kept free for the date, the bounds of a line, in units of the drawing, of how
 * many curves a ring is, enough to look round, and how many rings stay apart.
 */
const LOOKS = {
  40: { core: 6, thin: 2.6, thick: 7, pieces: 12, most: 12 },
  72: { core: 12, thin: 2, thick: 5.4, pieces: 16, most: 5 },
  160: { core: 31, thin: 0.9, thick: 3.4, pieces: PIECES, most: 12 },
  fill: { core: 31, thin: 0.7, thick: 3, pieces: PIECES, most: 12 },
} as const;

/** Pixels, or `'fill'` for the width of the container. */
export type SealSize = keyof typeof LOOKS;

interface DrawnSeal {
  /** The same id always gives the same rings. */
  id: string;
  /** Years from sealing to opening; one ring each, 1 to 12. */
  years: number;
  /** Percent of the waiting time that has passed, 0 to 100. */
  progress: number;
  size: SealSize;
}

/** The lines of a seal, as SVG paths in a drawing of 160 × 160. */
export function drawSeal({ id, years, progress, size }: DrawnSeal) {
  const { thin, thick, pieces } = LOOKS[size];
  const grown = ringsOf(id, years, size);
  const over = (Math.max(0, Math.min(100, progress)) / 100) * grown.length;
  const share = (index: number) => Math.max(0, Math.min(1, over - index));
  return {
    passed: grown.slice(0, Math.ceil(over)).map((ring, index) => ({
      index,
      width: Math.max(thin, Math.min(thick, ring.gap * 0.42)),
      path: arcPath(ring, 0, share(index), pieces),
    })),
    // One path for all rings, because a page of capsules draws hundreds.
    ahead: grown.map((ring, index) => arcPath(ring, share(index), 1, pieces)).join(''),
    bark: arcPath({ ...(grown.at(-1) ?? NO_RING), radius: BARK_RADIUS }, 0, 1, pieces),
    /** The widths of the bark, and of the rings ahead. */
    thick: Math.max(thin * 1.6, 1.6),
    thin,
  };
}

/** The rings of a seal of this size, the innermost first: one for each year, as many as have room. */
export function ringsOf(id: string, years: number, size: SealSize): Ring[] {
  const { core, most } = LOOKS[size];
  return growRings(id, Math.max(1, Math.min(most, Math.round(years))), core);
}

/** Years from sealing to opening, rounded up. */
export function yearsOf({ createdAt, unlockAt }: { createdAt: string; unlockAt: string }): number {
  return Math.ceil((Date.parse(unlockAt) - Date.parse(createdAt)) / (365.25 * DAY_MS));
}

/** Numbers in [0, 1), the same for the same text (FNV-1a seeding mulberry32). */
export function seeded(text: string): () => number {
  let state = 0x811c9dc5;
  for (const character of text) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The growth rings of a capsule, innermost first, at varying distances. @param id the same id
 * always gives the same rings @param count one ring for each year @param core radius kept free in
 * the middle for the date
 */
export function growRings(id: string, count: number, core: number): Ring[] {
  const random = seeded(id);
  // All rings share one shape, so that they never cross, with small variations.
  const trunk = [2, 3, 4].map((lobes) => ({ lobes, share: random(), phase: random() * TURN }));
  const growth = Array.from({ length: count }, () => 0.7 + random() * 0.6);
  const whole = growth.reduce((sum, year) => sum + year, 0);
  let radius = core;
  return growth.map((year) => {
    const gap = (year / whole) * (OUTERMOST - core);
    radius += gap;
    const waves = trunk.map(({ lobes, share, phase }) => ({
      lobes,
      height: ((0.4 + share * 0.6) * radius * 0.05) / lobes,
      phase: phase + (random() - 0.5) * 0.3,
    }));
    return { radius, gap, waves };
  });
}

/**
 * The part of a ring between two shares of a turn, clockwise from the top, as an SVG path.
 * @param from 0 to 1
 * @param to 0 to 1; the whole ring when it is 1 and `from` is 0
 * @param whole curves in a whole ring; fewer will do for a small one
 */
export function arcPath(
  { radius, waves }: Omit<Ring, 'gap'>,
  from: number,
  to: number,
  whole = PIECES,
): string {
  if (to <= from) return '';
  const at = (turn: number): [number, number] => {
    const angle = turn * TURN - TURN / 4;
    const wobble = waves.reduce(
      (sum, w) => sum + w.height * Math.sin(w.lobes * angle + w.phase),
      0,
    );
    return [
      CENTRE + (radius + wobble) * Math.cos(angle),
      CENTRE + (radius + wobble) * Math.sin(angle),
    ];
  };
  const pieces = Math.max(2, Math.round((to - from) * whole));
  const step = (to - from) / pieces;
  let [x0, y0] = at(from);
  let path = `M${point(x0, y0)}`;
  for (let piece = 1; piece <= pieces; piece += 1) {
    // A quadratic piece whose handle makes it pass through the true middle point.
    const [xm, ym] = at(from + (piece - 0.5) * step);
    const [x1, y1] = at(from + piece * step);
    path += `Q${point(2 * xm - (x0 + x1) / 2, 2 * ym - (y0 + y1) / 2)} ${point(x1, y1)}`;
    [x0, y0] = [x1, y1];
  }
  return path;
}

function point(x: number, y: number): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
