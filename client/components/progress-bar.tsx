import type { CSSProperties } from 'react';
import styles from './progress-bar.module.css';

interface ProgressBarProps {
  label: string;
  /** 0 to 100. */
  percent: number;
}

/** A progress bar. Screen readers hear every quarter and not every step. */
export function ProgressBar({ label, percent }: ProgressBarProps) {
  const whole = Math.round(Math.max(0, Math.min(100, percent)));
  const quarter = Math.floor(whole / 25) * 25;
  return (
    <div className="stack gap-8 holds">
      <div className="row gap-12 spread small">
        <span>{label}</span>
        <span className="stamp">{whole}%</span>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={label}
        aria-valuenow={whole}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div className={styles.bar} style={{ '--left': `${100 - whole}%` } as CSSProperties} />
      </div>
      <span className="visually-hidden" role="status">
        {quarter > 0 ? `${label} ${quarter}%` : ''}
      </span>
    </div>
  );
}

interface MeterProps {
  label: string;
  /** 0 to 100. */
  percent: number;
  isNearlyFull?: boolean;
  /** aria-valuetext, if a percentage alone says too little. */
  text?: string;
}

/** A meter. Its numbers are shown next to it. */
export function Meter({ label, percent, isNearlyFull = false, text }: MeterProps) {
  return (
    <meter
      className={`wide ${styles.meter}`}
      data-nearly-full={isNearlyFull}
      min={0}
      max={100}
      value={percent}
      aria-label={label}
      aria-valuetext={text}
    />
  );
}
