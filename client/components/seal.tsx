import { useMemo } from 'react';
import { classes } from './classes.ts';
import styles from './seal.module.css';
import { arcPath, growRings } from './seal-geometry.ts';

export type SealSize = 40 | 72 | 160;

export interface SealProps {
  /** The same id always gives the same rings. */
  id: string;
  /** Years from sealing to opening; one ring each, 1 to 12. */
  years: number;
  /** Percent of the waiting time that has passed, 0 to 100. */
  progress: number;
  locked: boolean;
  /** A locked-looking seal whose hasp stands open: its day has come, and nobody has looked yet. */
  ajar?: boolean;
  /** The unlock day, YYYY-MM-DD, drawn in the middle of large seals. */
  day?: string;
  /** Pixels, or `'fill'` for the width of the container. */
  size: SealSize | 'fill';
}

/** Small seals have fewer rings, so that they stay apart. */
const ringsMax = (size: SealProps['size']) => (size === 72 ? 5 : 12);

/** The rings of a seal of this size, the innermost first: one for each year, as many as have room. */
export function ringsOf(id: string, years: number, size: SealProps['size']) {
  const count = Math.max(1, Math.min(ringsMax(size), Math.round(years)));
  return growRings(id, count, LOOKS[size].core);
}

/**
 * By size: the radius kept free for the date, the bounds of a line, in units of the drawing, and
 * of how many curves a ring is, enough to look round.
 */
const LOOKS = {
  40: { core: 6, thin: 2.6, thick: 7, pieces: 12 },
  72: { core: 12, thin: 2, thick: 5.4, pieces: 16 },
  160: { core: 31, thin: 0.9, thick: 3.4, pieces: undefined },
  fill: { core: 31, thin: 0.7, thick: 3, pieces: undefined },
} as const;

/**
 * Growth rings, one for each year: solid for the past, dashed for the time to come. Decorative: the
 * remaining time is next to it.
 */
export function Seal({ id, years, progress, locked, ajar = false, day, size }: SealProps) {
  const { passed, ahead, bark, thick, thin } = useMemo(() => {
    const look = LOOKS[size];
    const grown = ringsOf(id, years, size);
    const count = grown.length;
    const over = (Math.max(0, Math.min(100, progress)) / 100) * count;
    const share = (index: number) => Math.max(0, Math.min(1, over - index));
    return {
      passed: grown.slice(0, Math.ceil(over)).map((ring, index) => ({
        index,
        width: Math.max(look.thin, Math.min(look.thick, ring.gap * 0.42)),
        path: arcPath(ring, 0, share(index), look.pieces),
      })),
      // One path for all rings, because a page of capsules draws hundreds.
      ahead: grown.map((ring, index) => arcPath(ring, share(index), 1, look.pieces)).join(''),
      bark: arcPath({ ...(grown.at(-1) ?? NO_RING), radius: BARK_RADIUS }, 0, 1, look.pieces),
      thick: Math.max(look.thin * 1.6, 1.6),
      thin: look.thin,
    };
  }, [id, years, progress, size]);

  return (
    <svg
      aria-hidden="true"
      className={classes(
        styles.seal,
        locked ? styles.locked : styles.opened,
        styles[`size-${size}`],
      )}
      viewBox="0 0 160 160"
      width={size === 'fill' ? undefined : size}
      height={size === 'fill' ? undefined : size}
    >
      <path className={styles.bark} d={bark} strokeWidth={thick} />
      {ahead && <path className={styles.ahead} d={ahead} strokeWidth={thin} />}
      {passed.map(({ index, width, path }) => (
        <path key={index} className={styles.passed} d={path} strokeWidth={width} />
      ))}
      {day && size !== 40 && size !== 72 && <SealDate day={day} />}
      <Hasp locked={locked} ajar={ajar} />
    </svg>
  );
}

/** Of the outermost line, which is no year. */
export const BARK_RADIUS = 76;
const NO_RING = { radius: 0, gap: 0, waves: [] };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

function SealDate({ day }: { day: string }) {
  const [year = '', month = '', date = ''] = day.split('-');
  return (
    <text className={styles.date}>
      <tspan x="80" y="76">
        {date} {MONTHS[Number(month) - 1]}
      </tspan>
      <tspan x="80" y="92">
        {year}
      </tspan>
    </text>
  );
}

/** The hasp lies over the rim of a sealed capsule and swings aside when it opens. */
function Hasp({ locked, ajar }: { locked: boolean; ajar: boolean }) {
  return (
    <g
      className={classes(styles.hasp, !locked && styles.lifted, ajar && styles.ajar)}
      data-part="hasp"
    >
      <rect x="69" y="128" width="22" height="30" rx="5" />
      <circle cx="80" cy="140" r="3.4" />
      <path d="M80 141v7" />
    </g>
  );
}

/** The product's seal as a small logo. */
export function LogoMark() {
  return <Seal id="time-capsule" years={3} progress={66} locked size={40} />;
}
