import styles from './meter.module.css';

interface MeterProps {
  label: string;
  /** 0 to 100. */
  percent: number;
  tone: 'copper' | 'verdigris' | 'red';
  /** What it says in words, where a percent alone says too little. */
  text?: string;
}

/** How full something is; the figures stand beside it. */
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
