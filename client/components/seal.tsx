import { useMemo } from 'react';
import { drawSeal, type SealSize } from '../../shared/seal-geometry.ts';
import { classes } from './classes.ts';
import styles from './seal.module.css';

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
  size: SealSize;
}

/**
 * Growth rings, one for each year: solid for the past, dashed for the time to come. Decorative: the
 * remaining time is next to it.
 */
export function Seal({ id, years, progress, locked, ajar = false, day, size }: SealProps) {
  const { passed, ahead, bark, thick, thin } = useMemo(
    () => drawSeal({ id, years, progress, size }),
    [id, years, progress, size],
  );

  return (
    <svg
      aria-hidden="true"
      className={classes(`rigid ${styles.seal}`, !locked && styles.opened, styles[`size-${size}`])}
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
