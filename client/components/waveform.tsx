import styles from './waveform.module.css';

interface WaveformProps {
  /** Heights of its bars, from 0 to 1. */
  levels: readonly number[];
}

/** A sound as a row of bars. Decorative: the player beside it says the same. */
export function Waveform({ levels }: WaveformProps) {
  return (
    <svg
      className={`wide ${styles.waveform}`}
      viewBox={`0 0 ${levels.length * 4} 40`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={levels.map(bar).join('')} />
    </svg>
  );
}

/** Even silence is a dot. */
function bar(level: number, at: number): string {
  const height = Math.max(2, level * 36);
  return `M${at * 4 + 2} ${20 - height / 2}v${height}`;
}
