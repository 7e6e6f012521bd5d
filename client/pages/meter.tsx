import styles from './meter.module.css';

interface MeterProps {
  label: string;
  /** 0 to 100. */
  percent: number;
  tone: 'copper' | 'verdigris' | 'red';
  /** aria-valuetext, if a percentage alone says too little. */
  text?: string;
}

/** A meter. Its numbers are shown next to it. */
export function Meter({ label, percent, tone, text }: MeterProps) {
  return (
    <meter
      className={styles.meter}
      data-tone={tone}
      min={0}
      max={100}
      value={percent}
      aria-label={label}
      aria-valuetext={text}
    />
  );
}
