import styles from './spinner.module.css';

/** The spinner without text. The caller provides one. */
export function SpinnerMark() {
  return (
    <svg
      className={`rigid ${styles.mark}`}
      viewBox="0 0 24 24"
      width="20"
      height="20"
      aria-hidden="true"
    >
      <circle className={styles.track} cx="12" cy="12" r="9" />
      <path d="M12 3a9 9 0 0 1 9 9" />
    </svg>
  );
}

/** A spinner with its text, announced politely. */
export function Spinner({ label }: { label: string }) {
  return (
    <p className={`row middle gap-12 mid-row quiet ${styles.spinner}`} role="status">
      <SpinnerMark />
      {label}
    </p>
  );
}
