import styles from './skeleton.module.css';

interface SkeletonProps {
  /** CSS sizes, e.g. `'60%'` and `'1.5rem'`. */
  width?: string;
  height?: string;
  round?: boolean;
}

/** A placeholder shape. Decorative: add a "Loading…" text. */
export function Skeleton({ width = '100%', height = '1rem', round = false }: SkeletonProps) {
  return (
    <span
      className={`sunken ${styles.skeleton}`}
      aria-hidden="true"
      style={{
        inlineSize: width,
        blockSize: height,
        borderRadius: round ? '50%' : undefined,
      }}
    />
  );
}
